import { join } from 'node:path';
import { asId, asRecord, asString } from '../../json-record.ts';
import { parseLine } from '../../parse-line.ts';
import { originOf, toFamily, walkFiles } from '../inventory-files.ts';
import type { SessionFinder } from '../session-finder.ts';
import type { SessionInventory } from '../session-inventory.ts';
import { namesIn, readHead } from '../transcript-head.ts';
import { type AcpAgent, acpTypeOf } from './known-agents.ts';
import { acpLogFolder, acpLogName } from './paths.ts';

/** Finds the sessions of one agent that were driven by us. */
export function acpSessionFinder(agent: AcpAgent): SessionFinder {
  const type = acpTypeOf(agent.name);
  return {
    async *find(place) {
      const folder = acpLogFolder(place, agent.name);
      for (const name of await namesIn(folder)) {
        const path = join(folder, name);
        const head = name.endsWith(LOG) ? await readHead(path) : undefined;
        const first = head?.records[0];
        const id = asId(first?.sessionId);
        if (head === undefined || id === undefined) continue;
        const prompt = head.records
          .map(({ event }) => asRecord(asRecord(event).block))
          .find((block) => block.type === 'user_message');
        const preview = asString(prompt?.content);
        yield { type, id, path, cwd: asString(first?.cwd), preview, updatedAt: head.updatedAt };
      }
    },

    async locate(place, sessionId) {
      const folder = acpLogFolder(place, agent.name);
      const wanted = acpLogName(sessionId);
      const isThere = (await namesIn(folder)).includes(wanted);
      return isThere ? join(folder, wanted) : undefined;
    },

    resumeCommand: (sessionId) => ['robota', '--agent', type, '--resume', sessionId],
  };
}

export function acpInventory(agent: AcpAgent): SessionInventory {
  const type = acpTypeOf(agent.name);
  return {
    take(place, memory) {
      const { files, watched } = walkFiles([acpLogFolder(place, agent.name)], {
        depth: 0,
        accepts: (name) => name.endsWith(LOG),
      });
      const families = files.flatMap((main) => {
        const head = asRecord(originOf(main, { memory, bytes: HEAD_BYTES, read: readOrigin }));
        const id = asId(head.id);
        return id === undefined ? [] : [toFamily({ type, id, main, cwd: asString(head.cwd) })];
      });
      return { families, watched };
    },
  };
}

function readOrigin(text: string): { id: string; cwd: string | undefined } | undefined {
  const head = parseLine(text.split('\n', 1)[0] ?? '');
  if (typeof head !== 'object' || head.type !== 'acp_session') return undefined;
  const id = asId(head.sessionId);
  return id === undefined ? undefined : { id, cwd: asString(head.cwd) };
}

const LOG = '.jsonl';
const HEAD_BYTES = 1 << 12;
