import {
  appendFileSync,
  cpSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import {
  applyStreamEvent,
  type ConversationState,
  EMPTY_CONVERSATION,
} from '@robota-sdk/agent-transcript';
import {
  type FollowedEvent,
  type FollowedTranscript,
  type FollowOptions,
  followTranscript,
  parseTranscriptFile,
} from '@robota-sdk/agent-transcript/architectures';
import { describe, expect, it, onTestFinished } from 'vitest';
import { allRecordings } from '../architectures/all-recordings.ts';
import { ClaudeSession } from '../architectures/claude-agent-sdk/claude-session.ts';
import { recording } from '../architectures/claude-agent-sdk/recordings.ts';
import { event, prompt, reply, rollout } from '../architectures/codex/rollout.ts';
import { temporaryFolder } from '../drivers/temporary-home.ts';
import { Dice } from '../mutations.ts';

const CLAUDE = 'claude-agent-sdk';
/** Watches and polls are too late, so only `refresh` reads. */
const BY_HAND: FollowOptions = { watches: false, pollMs: 3_600_000, unwatchedPollMs: 3_600_000 };

describe('a session that grows', () => {
  it('emits the existing conversation and then new events, for every agent', async () => {
    const path = join(temporaryFolder(), 's1.jsonl');
    const session = new ClaudeSession();
    session.user('One');
    write(path, session);
    const { told, followed } = follow(CLAUDE, path, { pollMs: 3_600_000 });

    expect(await told.next()).toMatchObject({ type: 'opened', conversation: { blocks: [{}] } });
    session.says('m1', 'Hello');
    write(path, session);

    expect(await told.next()).toMatchObject({
      type: 'stream_event',
      event: { type: 'block_complete', block: { type: 'assistant_text', content: 'Hello' } },
    });
    await followed.stop();
    expect(await told.take(9)).toMatchObject([{ event: { type: 'metadata_update' } }]);
  });

  it('is polled without watches', async () => {
    const path = join(temporaryFolder(), 'later', 's1.jsonl');
    const { told } = follow(CLAUDE, path, { watches: false, unwatchedPollMs: 5 });

    expect(await told.next()).toEqual({ type: 'opened', conversation: EMPTY_CONVERSATION });
    mkdirSync(dirname(path));
    const session = new ClaudeSession();
    session.user('One');
    write(path, session);

    expect(await told.next()).toMatchObject({ event: { type: 'block_complete' } });
  });

  it('is watched although its folder is created later', async () => {
    const path = join(temporaryFolder(), 'later', 's1.jsonl');
    const { told } = follow(CLAUDE, path, { unwatchedPollMs: 5 });
    await told.next();
    mkdirSync(dirname(path));
    const session = new ClaudeSession();
    session.user('One');
    write(path, session);

    expect((await told.next())?.type).toBe('stream_event');
  });

  it('emits the start and end of calls, and reverted turns', async () => {
    const path = join(temporaryFolder(), 's1.jsonl');
    const session = new ClaudeSession();
    const first = session.user('One');
    const { followed, told } = follow(CLAUDE, path, BY_HAND);
    await followed.opened;
    write(path, session);
    await followed.refresh();
    session.calls('m1', 'toolu_1');
    write(path, session);
    await followed.refresh();
    session.result('toolu_1', 'done');
    write(path, session);
    await followed.refresh();
    session.from(first).user('Again');
    write(path, session);
    await followed.refresh();

    await followed.stop();
    const events = (await told.take(99)).flatMap((one) =>
      one.type === 'stream_event' && one.event.type !== 'metadata_update' ? [one.event] : [],
    );
    expect(events.slice(1, 4)).toMatchObject([
      { type: 'block_start', block: { id: 'toolu_1', status: 'pending' } },
      { type: 'block_update', blockId: 'toolu_1', updates: { status: 'success' } },
      { type: 'block_complete', blockId: 'toolu_1:result' },
    ]);
    expect(followed.conversation?.blocks.map(({ id }) => id)).toEqual(['u1', 'u4']);
    expect(
      followed.conversation?.superseded.flatMap(({ blocks }) => blocks.map(({ id }) => id)),
    ).toEqual(['toolu_1', 'toolu_1:result']);
  });

  it('continues under its id, in whichever file the program chooses', async () => {
    const home = temporaryFolder();
    const folder = join(home, '.codex/sessions/2026/01/01');
    mkdirSync(folder, { recursive: true });
    const id = '01a1e126-0000-7000-8000-000000000001';
    const first = join(folder, `rollout-2026-01-01T00-00-00-${id}.jsonl`);
    writeFileSync(first, `${rollout(prompt('One'), reply('First', 'r1'))}\n`);
    const { followed } = follow('codex', id, { ...BY_HAND, home, environment: {} });
    await followed.opened;
    const base = { thread_id: id, end_ordinal_exclusive: 2 };
    const second = `rollout-2026-01-01T00-01-00-${id}_01a1e126-0000-7000-8000-000000000002.jsonl`;
    writeFileSync(
      join(folder, second),
      `${rollout(prompt('Two')).replace('"cwd"', `"history_base":${JSON.stringify(base)},"cwd"`)}\n`,
    );

    await followed.refresh();

    expect(followed.path).toBe(join(folder, second));
    expect(followed.conversation?.blocks.map((block) => block.id)).toEqual([
      'user-One',
      'user-Two',
    ]);
  });

  it('is rejected for an unknown id', async () => {
    const { followed, told } = follow('codex', 'nobody', {
      home: temporaryFolder(),
      environment: {},
    });

    await expect(followed.opened).rejects.toThrow(/no agent session nobody/);
    await expect(told.next()).rejects.toThrow(/no agent session nobody/);
  });
});

describe('a replaced file', () => {
  it.each([
    ['truncated', (path: string) => truncateSync(path, 0)],
    ['replaced by another', (path: string) => rmSync(path)],
  ])('that was %s is read again', async (_, spoil) => {
    const path = join(temporaryFolder(), 's1.jsonl');
    const session = new ClaudeSession();
    session.user('One');
    session.says('m1', 'Hello');
    write(path, session);
    const { followed } = follow(CLAUDE, path, BY_HAND);
    await followed.opened;
    const other = new ClaudeSession({ cwd: '/elsewhere' });
    other.user('Something else');
    spoil(path);
    write(path, other);

    await followed.refresh();

    expect(state(followed)).toEqual(await parsed(CLAUDE, path));
  });

  it('of the same length is detected by its head', async () => {
    const path = join(temporaryFolder(), 's1.jsonl');
    const [one, other] = [new ClaudeSession(), new ClaudeSession()];
    one.user('aaaa');
    other.user('bbbb');
    other.user('cccc');
    write(path, one);
    const { followed } = follow(CLAUDE, path, BY_HAND);
    await followed.opened;
    write(path, other);

    await followed.refresh();

    expect(state(followed)).toEqual(await parsed(CLAUDE, path));
  });

  it('keeps its blocks while it is missing', async () => {
    const path = join(temporaryFolder(), 's1.jsonl');
    const session = new ClaudeSession();
    session.user('One');
    write(path, session);
    const { followed } = follow(CLAUDE, path, BY_HAND);
    await followed.opened;
    rmSync(path);

    await followed.refresh();

    expect(followed.conversation?.blocks).toHaveLength(1);
  });

  it('may be a document that is rewritten each time', async () => {
    const name = 'session-2026-11-15T21-33-e453c7ff.json';
    const source = allRecordings.find(({ path }) => path.endsWith(name))?.path ?? '';
    const path = join(temporaryFolder(), name);
    const text = readFileSync(source, 'utf8');
    writeFileSync(path, text.replace(/,?\s*\{\s*"id"[\s\S]*\]/, ']'));
    const { followed } = follow('gemini-cli', path, BY_HAND);
    await followed.opened;
    writeFileSync(path, text);

    await followed.refresh();

    expect(state(followed)).toEqual(await parsed('gemini-cli', source));
  });
});

describe('subagents', () => {
  it('appear while the session is followed, and get their name from a later metadata file', async () => {
    const { path } = recording('2.1.325/agent2');
    const folder = temporaryFolder();
    const main = join(folder, path.split('/').at(-1) ?? '');
    const nested = join(dirname(path), path.split('/').at(-1)?.replace('.jsonl', '') ?? '');
    const { followed } = follow(CLAUDE, main, BY_HAND);
    cpSync(path, main);
    await followed.refresh();
    const target = join(folder, nested.split('/').at(-1) ?? '');
    cpSync(nested, target, { recursive: true, filter: (name) => !name.endsWith('.meta.json') });
    await followed.refresh();
    cpSync(nested, target, { recursive: true });

    await followed.refresh();

    expect(state(followed)).toEqual(await parsed(CLAUDE, main));
  });
});

describe('a long session', () => {
  it('is read from the ends of its files, and completely on refresh', async () => {
    const folder = temporaryFolder();
    const path = join(folder, 's1.jsonl');
    const session = new ClaudeSession();
    for (let turn = 0; turn < 3000; turn++) {
      session.user(`Ask ${turn}`);
      session.says(`m${turn}`, `Answer ${turn}`);
    }
    write(path, session);
    const { followed, told } = follow(CLAUDE, path, { pollMs: 3_600_000 });
    await told.next();
    const agents = join(folder, 's1/subagents');
    mkdirSync(agents, { recursive: true });
    const agent = new ClaudeSession({ isSidechain: true });
    agent.user('Look');
    session.calls('call', 'toolu_1', { name: 'Agent', input: { prompt: 'Look' } });
    write(path, session);
    write(join(agents, 'agent-a1.jsonl'), agent);
    await followed.refresh();
    agent.says('s1', 'Looking');
    write(join(agents, 'agent-a1.jsonl'), agent);
    session.says('last', 'Said at the end');
    write(path, session);

    await told.until((one) => JSON.stringify(one).includes('Said at the end'));
    await followed.refresh();

    expect(state(followed)).toEqual(await parsed(CLAUDE, path));
  });

  it('with reverted Codex turns is followed to the end', async () => {
    const path = join(temporaryFolder(), 'rollout-2026-01-01T00-00-00-x.jsonl');
    const turns = Array.from({ length: 300 }, (_, index) => [
      prompt(`Ask ${index}`),
      reply(`Answer ${index}`, `r${index}`),
    ]).flat();
    const lines = rollout(...turns, event({ type: 'thread_rolled_back', num_turns: 3 })).split(
      '\n',
    );
    const { followed } = follow('codex', path, BY_HAND);
    for (let end = 100; end <= lines.length + 99; end += 100) {
      writeFileSync(path, `${lines.slice(0, end).join('\n')}\n`);
      await followed.refresh();
    }

    expect(followed.conversation?.blocks.at(-1)?.id).toBe('r296:0');
    expect(state(followed)).toEqual(await parsed('codex', path));
  });
});

describe.each(allRecordings.filter((_, index) => index % 4 === 0))(
  '$name',
  ({ type, path, name }) => {
    it('ends equal to a full reading, however it was truncated and replaced meanwhile', async () => {
      const bytes = readFileSync(path);
      const copy = join(temporaryFolder(), path.split('/').at(-1) ?? '');
      const dice = new Dice(name.length);
      const { followed, fold } = follow(type, copy, BY_HAND);
      for (let at = 0; at < bytes.length; ) {
        const end = Math.min(bytes.length, at + 1 + dice.below(bytes.length / 4));
        if (path.endsWith('.json')) writeFileSync(copy, bytes.subarray(0, end));
        else appendFileSync(copy, bytes.subarray(at, end));
        at = end;
        if (dice.below(5) === 0) {
          writeFileSync(`${copy}.new`, readFileSync(copy));
          renameSync(`${copy}.new`, copy);
        }
        await followed.refresh();
      }
      if (bytes.at(-1) !== 0x0a && !path.endsWith('.json')) appendFileSync(copy, '\n');
      await followed.refresh();

      expect(state(followed)).toEqual(await parsed(type, copy));
      await followed.stop();
      expect(plain(await fold())).toEqual(await parsed(type, copy));
    });
  },
);

function follow(type: string, session: string, options: FollowOptions) {
  const followed = followTranscript(type, session, options);
  onTestFinished(() => followed.stop());
  const events = followed[Symbol.asyncIterator]();
  const next = async (): Promise<FollowedEvent | undefined> => {
    const { value, done } = await events.next();
    return done ? undefined : value;
  };
  const take = async (count: number) => {
    const taken: FollowedEvent[] = [];
    for (let index = 0; index < count; index++) {
      const one = await next();
      if (one === undefined) break;
      taken.push(one);
    }
    return taken;
  };
  const until = async (isWanted: (event: FollowedEvent) => boolean) => {
    for (let one = await next(); one !== undefined; one = await next()) if (isWanted(one)) return;
    throw new Error('The events ended before');
  };
  const fold = async () => {
    let conversation: ConversationState = EMPTY_CONVERSATION;
    for await (const one of { [Symbol.asyncIterator]: () => events }) {
      conversation =
        one.type === 'stream_event' ? applyStreamEvent(conversation, one.event) : one.conversation;
    }
    return conversation;
  };
  return { followed, told: { next, take, until }, fold };
}

function write(path: string, session: ClaudeSession): void {
  writeFileSync(path, session.text);
}

function state(followed: FollowedTranscript) {
  return plain(followed.conversation ?? EMPTY_CONVERSATION);
}

async function parsed(type: string, path: string) {
  const { metadata, ...rest } = await parseTranscriptFile(type, path);
  const { usageByMessage: _table, ...known } = metadata;
  return plain({ ...rest, metadata: known });
}

function plain({ blocks, subagents, metadata }: ConversationState) {
  const threads = subagents.map(({ id, blocks: own }) => ({ id, blocks: own }));
  return {
    blocks,
    threads: threads.toSorted((one, other) => (one.id < other.id ? -1 : 1)),
    metadata,
  };
}
