import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RawSubagentTranscript } from '@robota-sdk/agent-transcript';

const root = join(import.meta.dirname, '../../fixtures/claude');

/** One step of a recorded scenario of the real program: its files and its live output. */
export interface Recording {
  readonly name: string;
  readonly path: string;
  readonly raw: { readonly main: string; readonly subagents: readonly RawSubagentTranscript[] };
  readonly live: readonly unknown[];
}

const versions = readdirSync(root).filter((name) => /^\d/.test(name));

export const recordings: readonly Recording[] = versions.flatMap((version) =>
  readdirSync(join(root, version)).flatMap((scenario) => stepsOf(version, scenario)),
);

export function recording(name: string): Recording {
  const found = recordings.find((each) => each.name === name);
  if (found === undefined) throw new Error(`There is no recording ${name}`);
  return found;
}

function stepsOf(version: string, scenario: string): Recording[] {
  const folder = join(root, version, scenario);
  const homes = readdirSync(folder).filter((name) => name.startsWith('home'));
  return homes.map((home) => {
    const step = home.slice('home'.length);
    const files = readdirSync(join(folder, home));
    const main = files.find((name) => name.startsWith('00000000')) ?? '';
    const path = join(folder, home, main.endsWith('.jsonl') ? main : `${main}.jsonl`);
    return {
      name: `${version}/${scenario}${step}`,
      path,
      raw: { main: readFileSync(path, 'utf8'), subagents: subagentsOf(path) },
      live: readLive(join(folder, `stdout${step}.jsonl`)),
    };
  });
}

function subagentsOf(path: string): RawSubagentTranscript[] {
  const nested = join(path.replace(/\.jsonl$/, ''), 'subagents');
  return [nested, join(path, '..')].filter(existsSync).flatMap((folder) =>
    readdirSync(folder)
      .filter((name) => /^agent-.*\.jsonl$/.test(name))
      .map((name) => {
        const transcript = readFileSync(join(folder, name), 'utf8');
        const metaPath = join(folder, name.replace('.jsonl', '.meta.json'));
        const about = { id: name.replace('.jsonl', ''), transcript };
        return existsSync(metaPath) ? { ...about, meta: readFileSync(metaPath, 'utf8') } : about;
      }),
  );
}

function readLive(path: string): readonly unknown[] {
  if (!existsSync(path)) return [];
  const lines = readFileSync(path, 'utf8').split('\n');
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as unknown);
}
