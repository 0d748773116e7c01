import { basename, join } from 'node:path';
import {
  byFolder,
  type FamilyPart,
  type InventoryFile,
  toFamily,
  walkFiles,
} from '../inventory-files.ts';
import type { SessionInventory } from '../session-inventory.ts';

/** Logs in `~/.robota/logs`; a session without a log is read from its record in `~/.robota/sessions`. */
export const robotaInventory: SessionInventory = {
  take({ home, environment }) {
    const root = environment.ROBOTA_HOME || join(home, '.robota');
    const [logs, records] = [join(root, 'logs'), join(root, 'sessions')];
    const logged = walkFiles([logs], { depth: 2, accepts: (name) => name.endsWith('.jsonl') });
    const saved = walkFiles([records], { depth: 0, accepts: (name) => RECORD.test(name) });
    const folders = byFolder(logged.files);
    const mains = folders.get(logs) ?? [];
    const ids = new Set(mains.map(({ name }) => basename(name, '.jsonl')));
    const withoutLog = saved.files.filter(({ name }) => !ids.has(basename(name, '.json')));
    const families = [
      ...mains.map((main) => {
        const id = basename(main.name, '.jsonl');
        const parts = agentParts(folders.get(join(logs, id, 'subagents')) ?? []);
        return toFamily({ type: 'robota', id, main, parts });
      }),
      ...withoutLog.map((main) =>
        toFamily({ type: 'robota', id: basename(main.name, '.json'), main }),
      ),
    ];
    return { families, watched: new Map([...logged.watched, ...saved.watched]) };
  },
};

function agentParts(files: readonly InventoryFile[]): FamilyPart[] {
  return files.map((file) => ({
    id: basename(file.name, '.jsonl'),
    path: file.path,
    files: [file],
  }));
}

const RECORD = /^[^.].*\.json$/;
