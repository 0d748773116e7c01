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

interface Family {
  readonly dialect: Dialect;
  readonly model: string;
  create(baseURL: string): Provider;
}

const rest = { apiKey: 'k-test', environment: {} };
const FAMILIES: Readonly<Record<string, Family>> = {
  anthropic: {
    dialect: anthropicDialect,
    model: 'claude-sonnet-4-5',
    create: (baseURL) => new AnthropicProvider({ ...rest, baseURL }),
  },
  'openai chat': {
    dialect: openaiChatDialect,
    model: 'gpt-5',
    create: (baseURL) => new OpenAIProvider({ ...rest, baseURL, api: 'chat' }),
  },
  'openai responses': {
    dialect: openaiResponsesDialect,
    model: 'gpt-5',
    create: (baseURL) => new OpenAIProvider({ ...rest, baseURL, api: 'responses' }),
  },
  google: {
    dialect: googleDialect,
    model: 'gemini-2.5-pro',
    create: (baseURL) => new GoogleProvider({ ...rest, baseURL }),
  },
};
const NAMES = Object.keys(FAMILIES);

/** Thinking, text, two parallel tool calls, and an answer. */
function turn(number: number): readonly FakeReply[] {
  const call = (letter: string) => ({
    id: `call_${number}${letter}`,
    name: 'Show',
    pieces: ['{"what":', `"${letter} é \\u2028 1.0"}`],
  });
  return [
    { thinking: ['Hm, ', 'so'], text: ['Look ', 'first.'], calls: [call('a'), call('b')] },
    { text: [`Answer ${number}.`] },
  ];
}

async function startVendor(name: string) {
  const { dialect, model, create } = FAMILIES[name] as Family;
  const vendor = new FakeVendor((request) => {
    const problem = dialect.refuse(request);
    return problem === undefined
      ? undefined
      : { status: 400, body: dialect.errorBody(400, problem) };
  }, dialect.headers);
  const url = await vendor.start();
  onTestFinished(() => vendor.stop());
  const expectTurn = (number: number) =>
    vendor.next(
      ...turn(number).map((reply) => ({ kind: 'stream' as const, events: dialect.events(reply) })),
    );
  return { vendor, dialect, model, provider: () => create(url), expectTurn };
}

type Vendor = Awaited<ReturnType<typeof startVendor>>;

function createPlace() {
  const home = mkdtempSync(join(tmpdir(), 'robota-vendors-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const cwd = join(home, 'project');
  mkdirSync(cwd);
  return (kept: string, { provider, model }: Vendor, isResumed: boolean) =>
    new InteractiveSession({
      cwd,
      provider: provider(),
      model,
      thinking: 'high',
      bare: true,
      tools: [fakeTool('Show', () => 'ünïcode \u2028 1.0')],
      permissionMode: 'bypassPermissions',
      sessionLogger: new FileSessionLogger(join(home, kept, 'logs')),
      sessionStore: new SessionStore(join(home, kept, 'sessions'), {
        logDir: join(home, kept, 'logs'),
      }),
      ...(isResumed ? { resumeSessionId: 'same' } : { sessionId: 'same' }),
    });
}

async function ask(session: InteractiveSession, vendor: Vendor, number: number): Promise<void> {
  vendor.expectTurn(number);
  const outcome = await session.submit(`Question ${number}`);
  expect(outcome).toMatchObject({
    status: 'completed',
    result: { response: expect.stringContaining(`Answer ${number}.`) },
  });
}

describe.each(NAMES)('a conversation with %s', (name) => {
  it('sends the same bytes after a resume as it would have without one', async () => {
    const open = createPlace();
    const through = await startVendor(name);
    const whole = open('whole', through, false);
    for (const number of [1, 2, 3]) await ask(whole, through, number);
    await whole.shutdown();
    const cut = await startVendor(name);
    for (const number of [1, 2, 3]) {
      const session = open('cut', cut, number > 1);
      await ask(session, cut, number);
      await session.shutdown();
    }

    const bodies = ({ vendor }: Vendor) => vendor.requests.map(({ rawBody }) => rawBody);
    expect(bodies(cut)).toHaveLength(6);
    expect(bodies(cut)).toEqual(bodies(through));
  });

  it('starts every request with the bytes of the previous one, except cache markers', async () => {
    const open = createPlace();
    const vendor = await startVendor(name);
    for (const number of [1, 2, 3]) {
      const session = open('cut', vendor, number > 1);
      await ask(session, vendor, number);
      await session.shutdown();
    }

    const requests = vendor.vendor.requests.map(({ body, rawBody }) => {
      expect(JSON.stringify(body)).toBe(rawBody);
      return vendor.dialect.conversation(withoutMarks(body)).map((said) => JSON.stringify(said));
    });
    for (const [index, before] of requests.slice(0, -1).entries()) {
      expect(requests[index + 1]?.slice(0, before.length)).toEqual(before);
    }
  });
});

const PAIRS = NAMES.flatMap((from) =>
  NAMES.filter((to) => to !== from).map((to) => [from, to] as const),
);

it.each(PAIRS)('%s, then %s, then the first again, each after a resume', async (from, to) => {
  const open = createPlace();
  const first = await startVendor(from);
  const second = await startVendor(to);

  for (const [index, vendor] of [first, second, second, first, second, first].entries()) {
    const session = open('switched', vendor, index > 0);
    await ask(session, vendor, index + 1);
    await session.shutdown();
  }

  for (const { vendor } of [first, second]) {
    expect(vendor.requests).toHaveLength(6);
    const asked = [1, 2, 3, 4, 5].map((number) => `Question ${number}`);
    for (const question of asked) {
      expect(vendor.requests.at(-1)?.rawBody).toContain(question);
    }
  }
});

function withoutMarks(body: Record<string, unknown>): Record<string, unknown> {
  return JSON.parse(JSON.stringify(body), (key, value: unknown) =>
    key === 'cache_control' ? undefined : value,
  );
}
