import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

const root = join(import.meta.dirname, '../../fixtures/codex');

/** A rollout the real program wrote. */
export interface Recording {
  /** Version, scenario, step, and the place among the files of the step. */
  readonly name: string;
  readonly path: string;
  readonly threadId: string;
  readonly text: string;
  readonly isAgent: boolean;
}

/** Live output of the real program, over `exec --json` or the app-server. */
export interface LiveRecording {
  readonly name: string;
  readonly events: readonly unknown[];
  readonly threadId: string | undefined;
  readonly isAppServer: boolean;
}

const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).sort();

export const recordings: readonly Recording[] = files
  .filter((file) => /rollout-.*\.jsonl$/.test(file))
  .map((file, index, all) => {
    const step = file.replace(/\/sessions\/.*$/, '');
    const place = index - all.findIndex((other) => other.startsWith(`${step}/`));
    const text = readFileSync(join(root, file), 'utf8');
    const header = text.split('\n', 1)[0] ?? '';
    return {
      name: `${step}#${place}`,
      path: join(root, file),
      threadId: /rollout-.{19}-([0-9a-f-]{36})/.exec(basename(file))?.[1] ?? '',
      text,
      isAgent: /"(?:parent_thread_id|thread_spawn)"/.test(header),
    };
  });

export const liveRecordings: readonly LiveRecording[] = files
  .filter((file) => /(?:stdout|live)\.jsonl$/.test(file))
  .map((file) => {
    const text = readFileSync(join(root, file), 'utf8');
    const lines = text.split('\n').filter((line) => line !== '');
    return {
      name: file.replace(/\.jsonl$/, ''),
      events: lines.map((line) => JSON.parse(line) as unknown),
      threadId: /"(?:thread_id|threadId)":"([^"]+)"/.exec(text)?.[1],
      isAppServer: file.includes('live'),
    };
  })
  .filter(({ events }) => events.length > 0);

export function recording(name: string): Recording {
  const found = recordings.find((each) => each.name === name);
  if (found === undefined) throw new Error(`There is no recording ${name}`);
  return found;
}

export function liveRecording(name: string): LiveRecording {
  const found = liveRecordings.find((each) => each.name === name);
  if (found === undefined) throw new Error(`There is no live recording ${name}`);
  return found;
}
