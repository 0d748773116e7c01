import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Provider } from '@robota-sdk/agent-core';
import { fakeTool } from '@robota-sdk/agent-core/testing';
import { AnthropicProvider } from '@robota-sdk/agent-provider/anthropic';
import { GoogleProvider } from '@robota-sdk/agent-provider/google';
import { OpenAIProvider } from '@robota-sdk/agent-provider/openai';
import { InteractiveSession } from '@robota-sdk/agent-sdk';
import { FileSessionLogger, SessionStore } from '@robota-sdk/agent-session';
import { describe, expect, it, onTestFinished } from 'vitest';
import { anthropicDialect } from '../packages/provider/test/fakes/anthropic-dialect.ts';
import type { Dialect, FakeReply } from '../packages/provider/test/fakes/dialect.ts';
import { FakeVendor } from '../packages/provider/test/fakes/fake-vendor.ts';
import { googleDialect } from '../packages/provider/test/fakes/google-dialect.ts';
import { openaiChatDialect } from '../packages/provider/test/fakes/openai-chat-dialect.ts';
import { openaiResponsesDialect } from '../packages/provider/test/fakes/openai-responses-dialect.ts';
import { inPieces, leaksIn, plantAll } from '../packages/session/test/secrets/planted-secrets.ts';

const SECRETS = [...plantAll(9).values()];
const ALL = SECRETS.map(({ text }) => text).join('\n');

interface Vendor {
  readonly dialect: Dialect;
  create(baseURL: string): Provider;
}

const apiKey = 'k-test';
const environment = {};
const VENDORS: Readonly<Record<string, Vendor>> = {
  anthropic: {
    dialect: anthropicDialect,
    create: (baseURL) =>
      new AnthropicProvider({ apiKey, baseURL, environment, model: 'claude-sonnet-4-5' }),
  },
  'openai chat': {
    dialect: openaiChatDialect,
    create: (baseURL) =>
      new OpenAIProvider({ apiKey, baseURL, environment, model: 'gpt-5', api: 'chat' }),
  },
  'openai responses': {
    dialect: openaiResponsesDialect,
    create: (baseURL) =>
      new OpenAIProvider({ apiKey, baseURL, environment, model: 'gpt-5', api: 'responses' }),
  },
  google: {
    dialect: googleDialect,
    create: (baseURL) =>
      new GoogleProvider({ apiKey, baseURL, environment, model: 'gemini-2.5-pro' }),
  },
};

async function startVendor({ dialect }: Vendor, replies: readonly FakeReply[]) {
  const vendor = new FakeVendor((request) => {
    const problem = dialect.refuse(request);
    return problem === undefined
      ? undefined
      : { status: 400, body: dialect.errorBody(400, problem) };
  }, dialect.headers);
  const url = await vendor.start();
  onTestFinished(() => vendor.stop());
  vendor.next(
    ...replies.map((reply) => ({ kind: 'stream' as const, events: dialect.events(reply) })),
  );
  return { vendor, url };
}

const args = JSON.stringify({ text: ALL, api_key: 'abc' });
const REPLIES: readonly FakeReply[] = [
  {
    thinking: inPieces(`Hm ${ALL}`, 4),
    text: inPieces(`Said ${ALL} .`, 5),
    calls: [{ id: 'c1', name: 'Show', pieces: inPieces(args, 6, 40) }],
  },
  { text: inPieces(`And ${ALL} .`, 7) },
  { text: ['Yes.'] },
];

describe.each(Object.keys(VENDORS))('a session with %s that is full of secrets', (name) => {
  it('sends the same bytes after a resume, and stores secrets only in its vault', async () => {
    const home = mkdtempSync(join(tmpdir(), 'robota-secrets-'));
    onTestFinished(() => rmSync(home, { recursive: true, force: true }));
    mkdirSync(join(home, 'project'));
    const place = VENDORS[name] as Vendor;
    const { vendor, url } = await startVendor(place, REPLIES);
    const open = (resumeSessionId?: string) =>
      new InteractiveSession({
        cwd: join(home, 'project'),
        provider: place.create(url),
        bare: true,
        tools: [fakeTool('Show', () => ALL)],
        permissionMode: 'bypassPermissions',
        systemPrompt: resumeSessionId === undefined ? `Help.\n${ALL}` : undefined,
        sessionLogger: new FileSessionLogger(join(home, 'logs')),
        sessionStore: new SessionStore(join(home, 'sessions'), { logDir: join(home, 'logs') }),
        resumeSessionId,
      });
    const before = open();
    await before.submit(`Keep ${ALL} .`);
    await before.shutdown();

    const after = open(before.sessionId);
    const outcome = await after.submit('Still there?');
    await after.shutdown();

    expect(outcome).toMatchObject({ status: 'completed', result: { response: 'Yes.' } });
    const [, second, third] = vendor.requests.map(({ body }) =>
      place.dialect.conversation(body).map((bodies) => JSON.stringify(bodies)),
    );
    const texts = withoutCacheMarks(second);
    expect(withoutCacheMarks(third).slice(0, texts.length)).toEqual(texts);
    expect(leaksIn(home, SECRETS)).toEqual([]);
  });
});

/** Anthropic's cache markers move with the conversation. */
function withoutCacheMarks(bodies: readonly string[] = []): string[] {
  return bodies.map((text) => text.replaceAll(',"cache_control":{"type":"ephemeral"}', ''));
}
