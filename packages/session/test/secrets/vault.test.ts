import { chmodSync, existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Message } from '@robota-sdk/agent-core';
import { fakeTool } from '@robota-sdk/agent-core/testing';
import {
  FileSessionLogger,
  type Session,
  type SessionOptions,
  SessionStore,
} from '@robota-sdk/agent-session';
import { describe, expect, it } from 'vitest';
import { startSession, temporaryDirectory } from '../session-kit.ts';
import {
  leaksIn,
  plantAll,
  type StreamedReply,
  streamingProvider,
  textOutsideVaults,
} from './planted-secrets.ts';

const SECRETS = [...plantAll(77).values()];
const ALL = SECRETS.map(({ text }) => text).join('\n');

class Home {
  readonly path = temporaryDirectory();
  readonly logs = join(this.path, 'logs');
  readonly vault = join(this.logs, 's1.vault');
  readonly notices: string[] = [];

  store(): SessionStore {
    return new SessionStore(join(this.path, 'sessions'), { logDir: this.logs });
  }

  start(replies: readonly StreamedReply[], options: Partial<SessionOptions> = {}) {
    const provider = streamingProvider(...replies);
    const session = startSession(provider, {
      sessionId: 's1',
      systemMessage: `You help.\n${ALL}`,
      tools: [
        fakeTool('Show', () => ({
          success: true,
          data: { out: ALL, password: 'hunter2', pin: 1234 },
        })),
      ],
      permissionMode: 'bypassPermissions',
      sessionLogger: new FileSessionLogger(this.logs),
      sessionStore: this.store(),
      onNotice: ({ message }) => this.notices.push(message),
      ...options,
    });
    return { session, provider };
  }

  /** Goes on with the saved session, as a new process does. */
  resume(replies: readonly StreamedReply[], options: Partial<SessionOptions> = {}) {
    const { fold, record } = this.store().open('s1') as NonNullable<
      ReturnType<SessionStore['open']>
    >;
    const systemMessage = String(fold.state.messages[0]?.content);
    return this.start(replies, { restored: { fold, record }, fold, systemMessage, ...options });
  }

  /** A fork of the saved session. */
  fork(sessionId: string, options: Partial<SessionOptions> = {}) {
    const saved = this.store().open('s1') as NonNullable<ReturnType<SessionStore['open']>>;
    const systemMessage = String(saved.fold.state.messages[0]?.content);
    const from = { reason: 'fork', sessionId: 's1' } as const;
    const restored = { fold: saved.fold, record: undefined, from };
    return this.start([{ text: 'Forked.' }], { sessionId, restored, systemMessage, ...options });
  }
}

const TALK: readonly StreamedReply[] = [
  {
    thinking: `Hm ${ALL}`,
    text: `Said ${ALL} .`,
    toolCalls: [{ id: 'c1', name: 'Show', args: { text: ALL, api_key: 'abc', n: 1 } }],
  },
  { text: `And ${ALL} .`, metadata: { note: 'kept', secretToken: 'open sesame' } },
];

/** The messages of a request as the provider was sent them, without the last one. */
function isPrefix(history: readonly Message[], request: string | undefined): boolean {
  return request?.startsWith(JSON.stringify(history).slice(0, -1)) ?? false;
}

async function talk(home: Home, options: Partial<SessionOptions> = {}): Promise<Message[]> {
  const { session } = home.start(TALK, options);
  await session.run(`Keep ${ALL} .`);
  const said = session.getHistory();
  await session.shutdown();
  return said;
}

describe('a session full of secrets', () => {
  it('resumes with the same bytes in front of what is new', async () => {
    const home = new Home();
    const said = await talk(home);

    const { session, provider } = home.resume([{ text: 'Yes.' }]);
    await session.run('Still there?');

    expect(isPrefix(said, provider.requests[0])).toBe(true);
    expect(provider.requests[0]).toContain('open sesame');
    expect(home.notices).toEqual([]);
  });

  it('resumes from its log alone', async () => {
    const home = new Home();
    const said = await talk(home);
    rmSync(join(home.path, 'sessions'), { recursive: true });

    const { session, provider } = home.resume([{ text: 'Yes.' }]);
    await session.run('Still there?');

    // A log refers to what it said before, so the fields of a message may stand in another order.
    const sent = JSON.parse(String(provider.requests[0])).slice(0, said.length);
    expect(sent).toEqual(JSON.parse(JSON.stringify(said)));
  });

  it('resumes again and again, and still no file but the vault holds a secret', async () => {
    const home = new Home();
    let said = await talk(home);
    for (const text of ['One', 'Two']) {
      const { session, provider } = home.resume([{ text: `${text} ${ALL} .` }]);
      await session.run(text);

      expect(isPrefix(said, provider.requests[0])).toBe(true);
      said = session.getHistory();
      await session.shutdown();
    }

    expect(leaksIn(home.path, SECRETS)).toEqual([]);
    expect(textOutsideVaults(home.path)).not.toMatch(/hunter2|open sesame/);
  });

  it('shows placeholders in what people see of it after a resume', async () => {
    const home = new Home();
    await talk(home);

    const { session } = home.resume([]);

    const shown = JSON.stringify(session.getFullHistory());
    expect(shown).toMatch(/\[REDACTED:api-key:[a-z0-9]{10}\]/);
    expect(SECRETS.filter(({ text }) => shown.includes(text))).toEqual([]);
  });

  it('gives the same secret the same placeholder everywhere', async () => {
    const home = new Home();
    const { session } = home.start([{ text: `Said ${SECRETS[0]?.text} .` }], { systemMessage: '' });
    await session.run(`Keep ${SECRETS[0]?.text} .`);
    await session.shutdown();

    const found = textOutsideVaults(home.path).match(/\[REDACTED:[^\]]*\]/g) ?? [];
    expect(new Set(found).size).toBe(1);
  });

  it('answers calls that a crash left open with what they had brought', async () => {
    const home = new Home();
    await talk(home);
    rmSync(join(home.path, 'sessions'), { recursive: true });
    const file = join(home.logs, 's1.jsonl');
    const lines = readFileSync(file, 'utf8').split('\n');
    const end = lines.findIndex((line) => line.includes('"event":"tool_execution_result"'));
    writeFileSync(file, `${lines.slice(0, end + 1).join('\n')}\n`);

    const { session } = home.resume([]);

    const answer = session.getHistory().find(({ role }) => role === 'tool');
    expect(answer?.content).toBe(JSON.stringify({ out: ALL, password: 'hunter2', pin: 1234 }));
  });
});

describe('a vault', () => {
  it('is there from the first secret on, for its owner alone', async () => {
    const home = new Home();
    const { session } = home.start([{ text: 'Hi.' }, { text: 'Oh.' }], { systemMessage: 'x' });
    await session.run('Hello');

    expect(existsSync(home.vault)).toBe(false);
    await session.run(`Take ${SECRETS[0]?.text}`);

    expect(statSync(home.vault).mode & 0o777).toBe(0o600);
  });

  it('is read without being touched, so that a read-only disk is enough', async () => {
    const home = new Home();
    await talk(home);
    const before = statSync(home.vault, { bigint: true }).ctimeNs;

    home.resume([]);

    expect(statSync(home.vault, { bigint: true }).ctimeNs).toBe(before);
  });

  it('is closed to others again where somebody opened it', async () => {
    const home = new Home();
    await talk(home);
    chmodSync(home.vault, 0o644);

    home.resume([]);

    expect(statSync(home.vault).mode & 0o777).toBe(0o600);
  });

  it('goes with its session', async () => {
    const home = new Home();
    await talk(home);

    home.store().delete('s1');

    expect(existsSync(home.vault)).toBe(false);
  });

  it('lies beside the record where there is no log', async () => {
    const home = new Home();
    const store = () => new SessionStore(join(home.path, 'only'));
    const options = () => ({ sessionLogger: undefined, sessionStore: store() });
    const said = await talk(home, options());

    const saved = store().open('s1');
    const { session, provider } = home.start([{ text: 'Yes.' }], {
      ...options(),
      restored: { fold: saved?.fold as never, record: saved?.record },
      systemMessage: String(saved?.fold.state.messages[0]?.content),
    });
    await session.run('Still there?');

    expect(isPrefix(said, provider.requests[0])).toBe(true);
    expect(leaksIn(home.path, SECRETS)).toEqual([]);
    expect(existsSync(join(home.path, 'only/s1.vault'))).toBe(true);
  });

  it.each(['torn', 'not readable as JSON'])('that is %s gives what it has', async (damage) => {
    const home = new Home();
    await talk(home);
    const text = readFileSync(home.vault, 'utf8');
    writeFileSync(home.vault, damage === 'torn' ? text.slice(0, -30) : `{"vault\n${text}`);

    const { session } = home.resume([]);

    expect(String(session.getHistory()[0]?.content)).toContain(SECRETS[0]?.text);
  });
});

describe('without its vault a session', () => {
  it('resumes with placeholders and says so', async () => {
    const home = new Home();
    await talk(home);
    rmSync(home.vault);

    const { session, provider } = home.resume([{ text: 'Yes.' }]);
    await session.run('Still there?');

    expect(SECRETS.filter(({ text }) => provider.requests[0]?.includes(text))).toEqual([]);
    expect(provider.requests[0]).toContain('[REDACTED:api-key:');
    expect(home.notices).toEqual([expect.stringContaining('its vault is missing')]);
  });

  it('leaves none when it must not have one', async () => {
    const home = new Home();
    await talk(home, { vault: false });

    const { session } = home.resume([], { vault: false });

    expect(existsSync(home.vault)).toBe(false);
    expect(leaksIn(home.path, SECRETS)).toEqual([]);
    expect(session.getHistory()[0]?.content).toContain('[REDACTED:');
    expect(home.notices).toEqual([expect.stringContaining('no vault is used')]);
  });

  it('has nothing to say where there was no secret', async () => {
    const home = new Home();
    const { session } = home.start([{ text: 'Hi.' }], { systemMessage: 'You help.', vault: false });
    await session.run('Hello');
    await session.shutdown();

    home.resume([]);

    expect(home.notices).toEqual([]);
  });
});

describe('a fork', () => {
  it('sends what the original sent, also when the original is gone', async () => {
    const home = new Home();
    const said = await talk(home);
    const { session, provider } = home.fork('s2');
    await session.run('Fork?');
    await session.shutdown();
    home.store().delete('s1');

    const saved = home.store().open('s2');
    const again = home.start([{ text: 'Yes.' }], {
      sessionId: 's2',
      restored: { fold: saved?.fold as never, record: saved?.record },
      systemMessage: String(saved?.fold.state.messages[0]?.content),
    });
    await again.session.run('Again?');

    expect(isPrefix(said, provider.requests[0])).toBe(true);
    expect(isPrefix(said, again.provider.requests[0])).toBe(true);
    expect(leaksIn(home.path, SECRETS)).toEqual([]);
  });

  it('takes only the secrets along that it refers to', async () => {
    const home = new Home();
    const [first = { text: '' }, second = { text: '' }] = SECRETS;
    const { session } = home.start([{ text: 'A.' }, { text: 'B.' }], {
      systemMessage: 'You help.',
    });
    await session.run(`One ${first.text} .`);
    session.clearHistory();
    await session.run(`Two ${second.text} .`);
    await session.shutdown();

    const forked = home.fork('s2', { systemMessage: 'You help.' });
    await forked.session.run('Go on.');
    await forked.session.shutdown();

    const vault = readFileSync(join(home.logs, 's2.vault'), 'utf8');
    expect(vault).toContain(second.text);
    expect(vault).not.toContain(first.text);
  });
});

it('writes no half of a secret when something else happens in the middle of it', async () => {
  const home = new Home();
  let session: Session | undefined;
  let at = 0;
  const started = home.start([{ text: `Said ${ALL} .`, thinking: ALL }], {
    systemMessage: 'x',
    onTextDelta: () => {
      if (++at % 7 === 0) session?.logEvent('background_task_event', { backgroundEvent: { at } });
      if (at % 31 === 0) void session?.rename(`name ${at}`);
    },
  });
  session = started.session;
  await session.run('Hello');
  const said = session.getHistory();
  await session.shutdown();

  const { provider, session: resumed } = home.resume([{ text: 'Yes.' }]);
  await resumed.run('Still there?');

  expect(leaksIn(home.path, SECRETS)).toEqual([]);
  expect(isPrefix(said, provider.requests[0])).toBe(true);
});
