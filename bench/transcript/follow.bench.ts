import {
  appendFileSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseCodexTranscriptFile } from '@robota-sdk/agent-transcript';
import {
  type FollowOptions,
  followTranscript,
  walkTree,
} from '@robota-sdk/agent-transcript/architectures';
import { type BenchRow, type BenchValue, median, medianMs, ratioOf } from '../harness.ts';

export const rows: readonly BenchRow[] = [
  {
    name: 'CPU of one more line in a followed session of 100,000 lines, against 1,000',
    unit: 'x',
    target: 1.5,
    measure: async () => {
      const [few, many] = [await cpuOfLines(1000), await cpuOfLines(100_000)];
      const detail = `${many.toFixed(2)} ms against ${few.toFixed(2)} ms`;
      return { value: many / few, detail };
    },
  },
  {
    name: 'lag behind a line that another process writes, with file watching',
    unit: 'ms',
    target: 300,
    measure: () => lagOf({}),
  },
  {
    name: 'the same on a system without file watching',
    unit: 'ms',
    target: 300,
    measure: () => lagOf({ watches: false }),
  },
  {
    name: 'CPU of following an idle session for a second',
    unit: 'ms',
    target: 5,
    measure: () => idleCpu(),
  },
  {
    name: 'ten times as many rewound Codex turns (20,000 against 2,000) take ten times as long',
    unit: 'x',
    target: 13,
    measure: async () => {
      const [few, many] = [rolledBack(2000), rolledBack(20_000)];
      const short = await medianMs(() => parseCodexTranscriptFile(few), 5);
      const long = await medianMs(() => parseCodexTranscriptFile(many), 5);
      return {
        value: long / short,
        detail: `${long.toFixed(0)} ms against ${short.toFixed(0)} ms`,
      };
    },
  },
  {
    name: 'scanning a workspace of 20,000 files, against one walk with lstat',
    unit: 'x',
    target: 3,
    measure: () => inFolder((folder) => lookAtMany(folder)),
  },
];

function line(index: number): string {
  const uuid = `u${index}`;
  const parentUuid = index === 0 ? null : `u${index - 1}`;
  const message =
    index % 2 === 0
      ? { role: 'user', content: `Ask ${index}` }
      : {
          id: `m${index}`,
          role: 'assistant',
          content: [{ type: 'text', text: `Answer ${index}` }],
        };
  const type = index % 2 === 0 ? 'user' : 'assistant';
  const timestamp = '2026-01-01T00:00:00.000Z';
  const common = { parentUuid, sessionId: 's', cwd: '/w', timestamp, isSidechain: false };
  return `${JSON.stringify({ ...common, type, uuid, message })}\n`;
}

/** Follows a session of `count` lines; `append` writes one more and waits for its event. */
async function withFollowed<Result>(
  count: number,
  options: FollowOptions,
  use: (append: () => Promise<void>) => Promise<Result>,
): Promise<Result> {
  return inFolder(async (folder) => {
    const path = join(folder, 's.jsonl');
    writeFileSync(path, Array.from({ length: count }, (_, index) => line(index)).join(''));
    const followed = followTranscript('claude-agent-sdk', path, options);
    const events = followed[Symbol.asyncIterator]();
    await events.next();
    let next = count;
    const append = async () => {
      const id = next % 2 === 0 ? `u${next}` : `m${next}:0`;
      appendFileSync(path, line(next++));
      for (;;) {
        const { value } = await events.next();
        if (JSON.stringify(value).includes(`"${id}"`)) return;
      }
    };
    try {
      return await use(append);
    } finally {
      await followed.stop();
    }
  });
}

function cpuOfLines(count: number): Promise<number> {
  return withFollowed(count, {}, async (append) => {
    for (let warm = 0; warm < 10; warm++) await append();
    const started = process.cpuUsage();
    for (let index = 0; index < LINES; index++) await append();
    const { user, system } = process.cpuUsage(started);
    return (user + system) / 1000 / LINES;
  });
}

function lagOf(options: FollowOptions): Promise<BenchValue> {
  return withFollowed(200, options, async (append) => {
    const lags: number[] = [];
    for (let index = 0; index < 20; index++) {
      const started = performance.now();
      await append();
      lags.push(performance.now() - started);
    }
    return { value: Math.max(...lags), detail: `median ${median(lags).toFixed(0)} ms of 20` };
  });
}

function idleCpu(): Promise<BenchValue> {
  return withFollowed(1000, {}, async () => {
    await new Promise((resolve) => setTimeout(resolve, 500));
    const started = process.cpuUsage();
    await new Promise((resolve) => setTimeout(resolve, 5000));
    const { user, system } = process.cpuUsage(started);
    return { value: (user + system) / 5000, detail: 'over 5 s' };
  });
}

function rolledBack(count: number): string {
  const lines: string[] = [];
  for (let index = 0; index < count; index++) {
    const item = {
      type: 'UserMessage',
      id: `u${index}`,
      content: [{ type: 'text', text: `Ask ${index}` }],
    };
    const said = { type: 'item_completed', item };
    const back = { type: 'thread_rolled_back', num_turns: 1 };
    for (const payload of [said, ...(index % 4 === 3 ? [] : [back])]) {
      lines.push(
        JSON.stringify({ timestamp: 't', ordinal: lines.length, type: 'event_msg', payload }),
      );
    }
  }
  return lines.join('\n');
}

function lookAtMany(folder: string): Promise<BenchValue> {
  for (let index = 0; index < 200; index++) {
    const inner = join(folder, `d${index % 20}`, `e${index}`);
    mkdirSync(inner, { recursive: true });
    for (let file = 0; file < 100; file++) writeFileSync(join(inner, `f${file}.txt`), 'x');
  }
  writeFileSync(join(folder, '.gitignore'), '*.log\nbuild/\n!keep.log\n');
  return ratioOf(
    () => walkTree(folder),
    () => walkPlainly(folder),
    5,
  );
}

function walkPlainly(folder: string): number {
  let count = 0;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) count += walkPlainly(path);
    else count += lstatSync(path).size;
  }
  return count;
}

async function inFolder<Result>(use: (folder: string) => Promise<Result>): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), 'robota-bench-'));
  try {
    return await use(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const LINES = 60;
