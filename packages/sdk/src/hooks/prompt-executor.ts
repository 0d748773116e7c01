import {
  createUserMessage,
  type HookAnswer,
  type HookDefinition,
  type HookExecution,
  type HookInput,
  type HookTypeExecutor,
  type Provider,
  readUsage,
} from '@robota-sdk/agent-core';
import type { ExtraModelRequest } from '../interactive/model-cost.ts';
import { resolveSubagentModel } from '../subagents/subagent-model.ts';
import { addsContext, readVerdict, verdictQuestion } from './verdict.ts';

/** The model that answers hooks of type `prompt`. */
export interface PromptExecutorOptions {
  readonly provider: Provider;
  /** The session's model, for hooks that name none. */
  readonly model?: () => string | undefined;
  readonly onRequest?: ((request: ExtraModelRequest) => void) | undefined;
}

/** Prompt hooks: on session start and prompts the text is added to the context; other events are judged by a model. */
export class PromptExecutor implements HookTypeExecutor {
  readonly type = 'prompt';
  readonly #options: PromptExecutorOptions;

  constructor(options: PromptExecutorOptions) {
    this.#options = options;
  }

  async execute(
    definition: HookDefinition,
    input: HookInput,
    { signal }: Partial<HookExecution> = {},
  ): Promise<HookAnswer> {
    if (definition.type !== 'prompt') return { exitCode: 1, stderr: 'not a prompt hook' };
    if (addsContext(input)) return { exitCode: 0, stdout: definition.prompt };
    try {
      const question = verdictQuestion(definition.prompt, input);
      return readVerdict(await this.#ask(question, definition.model, signal));
    } catch (error) {
      return { exitCode: 1, stderr: (error as Error).message };
    }
  }

  async #ask(
    question: string,
    wanted: string | undefined,
    signal: AbortSignal | undefined,
  ): Promise<string> {
    const { provider, onRequest } = this.#options;
    const parentModel = this.#options.model?.() ?? provider.model;
    const { model } = resolveSubagentModel({ wanted, parentModel, provider });
    const reply = await provider.chat([createUserMessage(question)], {
      ...(signal && { signal }),
      ...(model !== undefined && { model }),
    });
    const usage = readUsage(reply);
    if (usage) onRequest?.({ model: model ?? provider.name, cause: 'subagent', usage });
    return reply.content ?? '';
  }
}
