import {
  appendFileSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parseTranscripts } from '@robota-sdk/agent-transcript';
import { parseTranscriptFile, readLastBlocks } from '@robota-sdk/agent-transcript/architectures';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ClaudeSession } from './claude-agent-sdk/claude-session.ts';
import { recording, recordings } from './claude-agent-sdk/recordings.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'robota-transcript-'));
});

afterEach(() => {
  rmSync(folder, { recursive: true });
});

describe('parseTranscriptFile', () => {
  it.each(recordings)(
    'reads $name from disk as from memory, subagents included',
    async ({ path, raw }) => {
      const parsed = await parseTranscriptFile('claude-agent-sdk', path);

      expect(parsed).toEqual(parseTranscripts('claude-agent-sdk', raw));
    },
  );

  it('ignores subagents of other sessions in the same folder', async () => {
    const { path } = recording('2.0.76/agentfg');
    const copy = join(folder, 'other-session.jsonl');
    copyFileSync(path, copy);
    copyFileSync(join(dirname(path), 'agent-a6de794.jsonl'), join(folder, 'agent-a6de794.jsonl'));

    const { subagents } = await parseTranscriptFile('claude-agent-sdk', copy);

    expect(subagents).toEqual([]);
  });

  it('reads lines and characters across chunk boundaries', async () => {
    const session = new ClaudeSession();
    for (let turn = 0; turn < 40; turn++) session.user(`${turn} ${'ä€😀'.repeat(20_000)}`);
    const path = join(folder, 'long.jsonl');
    writeFileSync(path, session.text);

    const { blocks, skipped } = await parseTranscriptFile('claude-agent-sdk', path);

    expect(skipped.lines).toBe(0);
    expect(blocks.every((block) => !JSON.stringify(block).includes('\ufffd'))).toBe(true);
    expect(blocks).toHaveLength(40);
  });

  it('reads a missing file as an empty session', async () => {
    const parsed = await parseTranscriptFile('claude-agent-sdk', join(folder, 'none.jsonl'));

    expect(parsed.blocks).toEqual([]);
  });

  it('names the file it could not read', async () => {
    const path = join(folder, 'folder.jsonl');
    mkdirSync(path);

    await expect(parseTranscriptFile('claude-agent-sdk', path)).rejects.toThrow(
      `Cannot read transcript ${path}`,
    );
  });

  it('rejects an agent that is not registered', async () => {
    await expect(parseTranscriptFile('constructor' as 'codex', 'x')).rejects.toThrow(
      'There is no agent architecture "constructor"',
    );
  });
});

describe('readLastBlocks', () => {
  it.each([1, 7, 50, 100_000])('returns the last %i blocks of a full reading', async (limit) => {
    const path = longSession(400);

    const last = await readLastBlocks('claude-agent-sdk', path, limit);

    const { blocks } = await parseTranscriptFile('claude-agent-sdk', path);
    expect(last).toEqual(blocks.slice(-limit));
  });

  it.each([0, -1, Number.NaN])('returns nothing for a limit of %d', async (limit) => {
    expect(await readLastBlocks('claude-agent-sdk', longSession(1), limit)).toEqual([]);
  });

  it('returns nothing for a missing file', async () => {
    expect(await readLastBlocks('claude-agent-sdk', join(folder, 'none.jsonl'), 5)).toEqual([]);
  });

  it('leaves out blocks a rewind at the end abandoned, however far back it goes', async () => {
    const path = longSession(400);
    const rewound = {
      type: 'user',
      uuid: 'late',
      parentUuid: 'u9',
      timestamp: '2026-02-01T00:00:00.000Z',
      message: { role: 'user', content: 'Back to the start' },
    };
    appendFileSync(path, `${JSON.stringify(rewound)}\n`);

    const last = await readLastBlocks('claude-agent-sdk', path, 4);

    const { blocks } = await parseTranscriptFile('claude-agent-sdk', path);
    expect(last).toEqual(blocks.slice(-4));
    expect(last.at(-1)).toMatchObject({ content: 'Back to the start' });
  });

  it.each(recordings)('returns the end of $name', async ({ path }) => {
    const { blocks } = await parseTranscriptFile('claude-agent-sdk', path);

    expect(await readLastBlocks('claude-agent-sdk', path, 2)).toEqual(blocks.slice(-2));
  });

  /** Turns with parallel tools and long results, much larger than the first window. */
  function longSession(turns: number): string {
    const session = new ClaudeSession();
    const long = 'output '.repeat(300);
    for (let turn = 0; turn < turns; turn++) {
      session.user(`Step ${turn}`);
      session.says(`m${turn}`, 'Working.');
      const first = session.calls(`m${turn}`, `a${turn}`);
      const second = session.calls(`m${turn}`, `b${turn}`);
      session.from(first).result(`a${turn}`, long, { sourceToolAssistantUUID: first });
      session.from(second).result(`b${turn}`, long, { sourceToolAssistantUUID: second });
    }
    const path = join(folder, 'session.jsonl');
    writeFileSync(path, session.text);
    return path;
  }
});
