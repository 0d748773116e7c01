import type { Provider } from '@robota-sdk/agent-core';
import { says, scriptedProvider } from '@robota-sdk/agent-core/testing';
import { OpenAIProvider } from '@robota-sdk/agent-provider/openai';
import {
  createProjectSessionStore,
  InteractiveSession,
  type InteractiveSessionOptions,
} from '@robota-sdk/agent-sdk';
import { describe, expect, it } from 'vitest';
import { useTestPlace } from './sandbox-home.ts';

const place = useTestPlace();

function answering(fields: Partial<Provider>) {
  const provider = scriptedProvider(says('hi'), says('hi again'));
  return Object.assign(provider, fields);
}

/** The model on the wire, and what was said about it. */
async function ask(
  provider: ReturnType<typeof answering>,
  options: Partial<InteractiveSessionOptions> = {},
) {
  const notices: string[] = [];
  const session = new InteractiveSession({
    cwd: place.project,
    provider,
    trust: true,
    ...options,
  } as InteractiveSessionOptions);
  session.on('notice', ({ kind, message }) => {
    if (kind === 'model') notices.push(message);
  });
  await session.submit('hello');
  await session.shutdown();
  return { model: provider.requestOptions[0]?.model, notices, sessionId: session.sessionId };
}

const openai = () => answering({ name: 'openai', model: 'gpt-5', modelFamily: 'openai' });
const anthropic = (model?: string) =>
  answering({
    name: 'anthropic',
    modelFamily: 'anthropic',
    model: model ?? 'claude-sonnet-5-5',
    isDefaultModel: model === undefined,
  });

describe('the model that is asked', () => {
  it('is the full name of what Claude Code’s settings call opus', async () => {
    place.writeHome('.claude/settings.json', { model: 'opus' });

    expect(await ask(anthropic())).toMatchObject({ model: 'claude-opus-4-6', notices: [] });
  });

  it('is the provider’s own before what any settings say', async () => {
    place.writeHome('.claude/settings.json', { model: 'opus' });
    place.writeHome('.robota/settings.json', { model: 'gpt-4.1' });

    expect(await ask(openai())).toMatchObject({ model: 'gpt-5', notices: [] });
    expect(await ask(anthropic('claude-haiku-4-5'))).toMatchObject({ model: 'claude-haiku-4-5' });
  });

  it('is that of our settings before Claude Code’s, and before the vendor’s default', async () => {
    place.write('.claude/settings.json', { model: 'opus' });
    place.writeHome('.robota/settings.json', { model: 'haiku' });

    expect(await ask(anthropic())).toMatchObject({ model: 'claude-haiku-4-5' });
  });

  it('is never another vendor’s, and somebody is told', async () => {
    const file = place.writeHome('.claude/settings.json', { model: 'opus' });
    const provider = answering({ ...openai(), model: 'gpt-5.5', isDefaultModel: true });

    expect(await ask(provider)).toMatchObject({
      model: 'gpt-5.5',
      notices: [`The model opus (${file}) is not one of openai; gpt-5.5 is used.`],
    });
  });

  it('is what is asked for in code, on the command line or in the environment before all', async () => {
    place.writeHome('.robota/settings.json', { model: 'haiku' });
    const inCode = await ask(anthropic('claude-x'), { model: 'opus' });
    const onCommandLine = await ask(anthropic('claude-x'), { settings: { model: 'sonnet' } });
    process.env.ROBOTA_MODEL = 'claude-env';
    const inEnvironment = await ask(anthropic('claude-x'));

    expect([inCode.model, onCommandLine.model, inEnvironment.model]).toEqual([
      'claude-opus-4-6',
      'claude-sonnet-4-6',
      'claude-env',
    ]);
  });

  it('of a resumed session is the saved one, unless the provider cannot serve it', async () => {
    const sessionStore = createProjectSessionStore(place.project);
    const { sessionId } = await ask(anthropic(), { sessionStore, model: 'claude-opus-4-5' });

    const same = await ask(anthropic('claude-x'), { sessionStore, resumeSessionId: sessionId });
    const other = await ask(openai(), { sessionStore, resumeSessionId: sessionId });

    expect(same).toMatchObject({ model: 'claude-opus-4-5', notices: [] });
    expect(other).toMatchObject({
      model: 'gpt-5',
      notices: [
        'The model claude-opus-4-5 (the saved session) is not one of openai; gpt-5 is used.',
      ],
    });
  });
});

it('providers say whose models they serve and whether anybody chose theirs', () => {
  const chosen = new OpenAIProvider({ apiKey: 'k', model: 'gpt-5' });
  const usual = new OpenAIProvider({ apiKey: 'k' });
  const elsewhere = new OpenAIProvider({ baseURL: 'http://localhost:11434', model: 'llama3' });

  expect([chosen, usual, elsewhere].map((each) => [each.isDefaultModel, each.modelFamily])).toEqual(
    [
      [false, 'openai'],
      [true, 'openai'],
      [false, null],
    ],
  );
});
