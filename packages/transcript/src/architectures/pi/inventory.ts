import { join } from 'node:path';
import { asId } from '../../json-record.ts';
import { parseLine } from '../../parse-line.ts';
import { originOf, toFamily, walkFiles } from '../inventory-files.ts';
import type { SessionInventory } from '../session-inventory.ts';

/** `sessions/--<directory>--/<time>_<id>.jsonl`, one file per session. */
export const piInventory: SessionInventory = {
  take({ home, environment }, memory) {
    const agent = environment.PI_CODING_AGENT_DIR || join(home, '.pi', 'agent');
    const { files, watched } = walkFiles([join(agent, 'sessions')], {
      depth: 1,
      accepts: (name) => SESSION_FILE.test(name),
    });
    const families = files.map((main) => {
      const named = originOf(main, { memory, bytes: HEAD_BYTES, read: readId });
      const id = asId(named) ?? SESSION_FILE.exec(main.name)?.[1] ?? main.name;
      return toFamily({ type: 'pi', id, main });
    });
    return { families, watched };
  },
};

function readId(head: string): string | undefined {
  const header = parseLine(head.split('\n', 1)[0] ?? '');
  return typeof header === 'object' && header.type === 'session' ? asId(header.id) : undefined;
}

const SESSION_FILE = /^[^_]+_(.+)\.jsonl$/;
const HEAD_BYTES = 1 << 12;
