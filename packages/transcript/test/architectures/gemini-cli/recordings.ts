import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { RawSubagentTranscript, RawTranscripts } from '@robota-sdk/agent-transcript';

const root = join(import.meta.dirname, '../../fixtures/gemini');

/** One chat file of the real program, and its live output while it wrote the end of the file. */
export interface Recording {
  readonly name: string;
  readonly path: string;
  readonly raw: RawTranscripts & { readonly main: string };
  readonly live: readonly unknown[];
}

export const recordings: readonly Recording[] = homesIn(root).flatMap(chatsOf);

export function recording(name: string): Recording {
  const found = recordings.find((each) => each.name === name);
  if (found === undefined) throw new Error(`There is no recording ${name}`);
  return found;
}

/** Folders named `home…` at any depth. */
function homesIn(folder: string): string[] {
  const folders = readdirSync(folder, { withFileTypes: true }).filter((entry) =>
    entry.isDirectory(),
  );
  return folders.flatMap(({ name }) => {
    const path = join(folder, name);
    return name.startsWith('home') ? [path] : homesIn(path);
  });
}

/** Files with the same id are numbered; the longest is the chat, the others are left over from resumes. */
function chatsOf(home: string): Recording[] {
  const chats = join(home, 'chats');
  const paths = readdirSync(chats)
    .filter((name) => name.startsWith('session-'))
    .map((name) => join(chats, name))
    .sort((one, other) => statSync(other).size - statSync(one).size);
  const live = liveOf(home);
  return paths.map((path, index) => {
    const main = readFileSync(path, 'utf8');
    const id = /"sessionId":\s*"([^"]+)"/.exec(main)?.[1] ?? '';
    const isLive = JSON.stringify(live).includes(id) && index === 0;
    const name = home.slice(root.length + 1).replace(/\/home-?/, ':');
    return {
      name: index === 0 ? name.replace(/:$/, '') : `${name}#${index}`,
      path,
      raw: { main, subagents: subagentsOf(join(chats, id)) },
      live: isLive ? live : [],
    };
  });
}

function subagentsOf(folder: string): RawSubagentTranscript[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder).map((name) => ({
    id: name.replace(/\.jsonl?$/, ''),
    transcript: readFileSync(join(folder, name), 'utf8'),
  }));
}

/** `home-<tag>` belongs to the output `<tag>….stdout.jsonl`; without a tag to the plain name. */
function liveOf(home: string): readonly unknown[] {
  const [, folder = '', tag = ''] = /^(.*)\/home-?([^/]*)$/.exec(home) ?? [];
  const names = readdirSync(folder).filter((name) => name.endsWith('stdout.jsonl'));
  const wanted =
    tag === ''
      ? names.find((name) => /^(?:acp\.|stream-json\.)?stdout\.jsonl$/.test(name))
      : names.find((name) => name.startsWith(`${tag}.`) || name.startsWith(`${tag}-`));
  if (wanted === undefined) return [];
  const lines = readFileSync(join(folder, wanted), 'utf8').split('\n');
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as unknown);
}
