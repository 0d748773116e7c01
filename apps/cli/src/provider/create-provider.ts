import type { Provider } from '@robota-sdk/agent-core';
import { UsageError } from '../usage-error.ts';
import type { ProviderChoice, ProviderKind } from './provider-choice.ts';

export interface ReadyProvider {
  readonly provider: Provider;
  readonly model: string;
}

/** Loads only the chosen vendor. */
export function createProvider(
  choice: ProviderChoice,
  environment: NodeJS.ProcessEnv = process.env,
): Promise<ReadyProvider> {
  return MAKERS[choice.kind](choice, environment);
}

type Maker = (choice: ProviderChoice, environment: NodeJS.ProcessEnv) => Promise<ReadyProvider>;

const MAKERS: Readonly<Record<ProviderKind, Maker>> = {
  async anthropic(choice, environment) {
    const { ANTHROPIC_DEFAULT_MODEL, AnthropicProvider } = await import(
      '@robota-sdk/agent-provider/anthropic'
    );
    const model = choice.model ?? environment.ANTHROPIC_MODEL ?? ANTHROPIC_DEFAULT_MODEL;
    return { provider: new AnthropicProvider({ ...connection(choice), model }), model };
  },

  async openai(choice) {
    const { OPENAI_DEFAULT_MODEL, OpenAIProvider } = await import(
      '@robota-sdk/agent-provider/openai'
    );
    const model = choice.model ?? OPENAI_DEFAULT_MODEL;
    return {
      provider: new OpenAIProvider({ ...connection(choice), ...apiOf(choice), model }),
      model,
    };
  },

  async google(choice) {
    const { GOOGLE_DEFAULT_MODEL, GoogleProvider } = await import(
      '@robota-sdk/agent-provider/google'
    );
    const model = choice.model ?? GOOGLE_DEFAULT_MODEL;
    return { provider: new GoogleProvider({ ...connection(choice), model }), model };
  },

  async ollama(choice, environment) {
    const { model } = choice;
    if (model === undefined)
      throw new UsageError('Ollama needs a model: add --model, for example --model llama3.2.');
    const { OpenAIProvider } = await import('@robota-sdk/agent-provider/openai');
    const baseURL = choice.baseURL ?? ollamaUrl(environment.OLLAMA_HOST);
    const options = {
      apiKey: choice.apiKey ?? 'ollama',
      baseURL,
      model,
      api: 'compatible' as const,
    };
    return { provider: new OpenAIProvider(options), model };
  },

  async demo(choice) {
    const { DemoProvider } = await import('@robota-sdk/agent-provider/demo');
    return { provider: new DemoProvider(), model: choice.model ?? 'demo' };
  },
};

function connection({ apiKey, baseURL }: ProviderChoice): { apiKey?: string; baseURL?: string } {
  return { ...(apiKey !== undefined && { apiKey }), ...(baseURL !== undefined && { baseURL }) };
}

/** A profile may name the OpenAI protocol of its endpoint; otherwise the URL decides. */
function apiOf({ options, baseURL }: ProviderChoice): {
  api?: 'responses' | 'chat' | 'compatible';
} {
  if (options.apiSurface === 'responses') return { api: 'responses' };
  if (options.apiSurface !== 'chat-completions') return {};
  return { api: baseURL === undefined ? 'chat' : 'compatible' };
}

/** `OLLAMA_HOST` may be a host, a host with a port, or a URL. */
function ollamaUrl(host: string | undefined): string {
  const given = host?.trim() || '127.0.0.1:11434';
  const address = given.includes('://') ? given : `http://${given}`;
  const url = new URL(address);
  if (url.port === '' && url.protocol === 'http:' && !given.includes('://')) url.port = '11434';
  return `${url.origin}/v1`;
}
