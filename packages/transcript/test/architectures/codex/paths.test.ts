import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { codexSessionFinder } from '../../../src/architectures/codex/find-sessions.ts';
import { codexTranscriptLayout } from '../../../src/architectures/codex/paths.ts';
import { header, numbered, prompt } from './rollout.ts';

const MAIN = '01a1e126-0000-7000-8000-00000000000a';
const AGENT = '01a1e126-0000-7000-8000-00000000000b';
const NESTED = '01a1e126-0000-7000-8000-00000000000c';
const OTHER = '01a1e126-0000-7000-8000-00000000000d';

let home: string;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'robota-codex-'));
});

afterEach(() => {
  rmSync(home, { recursive: true });
});

describe('the files of a session', () => {
  it('include nested subagents, also of later days', async () => {
    const main = write('2026/01/01', '2026-01-01T10-00-00', MAIN, {});
    const agent = write('2026/01/01', '2026-01-01T10-00-01', AGENT, { parent_thread_id: MAIN });
    const spawn = { subagent: { thread_spawn: { parent_thread_id: AGENT, depth: 2 } } };
    const nested = write('2026/01/02', '2026-01-02T10-00-00', NESTED, { source: spawn });
    write('2026/01/02', '2026-01-02T11-00-00', OTHER, { parent_thread_id: 'somebody-else' });

    expect(await codexTranscriptLayout.findSubagentFiles(main)).toEqual([
      { id: AGENT, path: agent },
      { id: NESTED, path: nested },
    ]);
  });

  it('include the rollouts it continues, however old', async () => {
    const oldest = write('2025/12/01', '2025-12-01T10-00-00', OTHER, {});
    const base = { thread_id: OTHER, end_ordinal_exclusive: 4 };
    const between = write('2026/01/01', '2026-01-01T09-00-00', AGENT, { history_base: base });
    const near = { thread_id: AGENT, end_ordinal_exclusive: 9 };
    const main = write('2026/01/01', '2026-01-01T10-00-00', MAIN, { history_base: near });

    expect(await codexTranscriptLayout.findSubagentFiles(main)).toEqual([
      { id: AGENT, path: between },
      { id: OTHER, path: oldest },
    ]);
  });

  it('are none for a missing or standalone file', async () => {
    const alone = join(home, 'rollout.jsonl');
    writeFileSync(alone, numbered([header({}, MAIN)], 0));

    expect(await codexTranscriptLayout.findSubagentFiles(join(home, 'nothing.jsonl'))).toEqual([]);
    expect(await codexTranscriptLayout.findSubagentFiles(alone)).toEqual([]);
  });
});

describe('finding sessions', () => {
  it('lists rollouts with their directory and first prompt', async () => {
    const path = write('2026/01/01', '2026-01-01T10-00-00', MAIN, { cwd: '/home/tester/proj' });

    const found = await collect(codexSessionFinder.find({ home, environment: {} }));

    expect(found).toEqual([
      {
        type: 'codex',
        id: MAIN,
        path,
        cwd: '/home/tester/proj',
        preview: 'Do it.',
        updatedAt: expect.any(Number),
      },
    ]);
  });

  it('lists a reverted thread once, by its newest file, and no subagents', async () => {
    write('2026/01/01', '2026-01-01T10-00-00', MAIN, {});
    const newest = write('2026/01/01', '2026-01-01T11-00-00', `${MAIN}_${OTHER}`, {});
    write('2026/01/01', '2026-01-01T12-00-00', AGENT, { parent_thread_id: MAIN });

    const found = await collect(codexSessionFinder.find({ home, environment: {} }));

    expect(found.map(({ id, path }) => [id, path])).toEqual([[MAIN, newest]]);
  });

  it('respects CODEX_HOME, and returns nothing for a missing folder', async () => {
    const environment = { CODEX_HOME: join(home, 'elsewhere') };

    expect(await collect(codexSessionFinder.find({ home, environment }))).toEqual([]);
  });

  it('resumes a session with the program’s own command', () => {
    expect(codexSessionFinder.resumeCommand(MAIN)).toEqual(['codex', 'resume', MAIN]);
  });
});

function write(day: string, time: string, id: string, about: object): string {
  const path = join(home, '.codex/sessions', day, `rollout-${time}-${id}.jsonl`);
  mkdirSync(dirname(path), { recursive: true });
  const said = {
    type: 'response_item',
    payload: {
      type: 'message',
      role: 'user',
      content: [{ type: 'input_text', text: 'Do it.' }],
    },
  };
  writeFileSync(path, numbered([header(about, id), said, prompt('Do it.')], 0));
  return path;
}

async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = [];
  for await (const each of items) all.push(each);
  return all;
}
