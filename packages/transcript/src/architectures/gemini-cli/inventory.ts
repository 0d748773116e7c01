import { basename, dirname, join } from 'node:path';
import { readExistingNow } from '../existing-file.ts';
import {
  byFolder,
  type FamilyPart,
  type InventoryFile,
  originOf,
  toFamily,
  walkFiles,
} from '../inventory-files.ts';
import type { OriginMemory, SessionInventory, TranscriptFamily } from '../session-inventory.ts';

/** `tmp/<project>/chats/session-*.json[l]`, with subagents in `chats/<session id>/` and, nested, in folders by agent id. */
export const geminiInventory: SessionInventory = {
  take({ home, environment }, memory) {
    const root = join(environment.GEMINI_CLI_HOME || home, '.gemini', 'tmp');
    const { files, watched } = walkFiles([root], {
      depth: 3,
      accepts: (name) => /\.jsonl?$/.test(name),
    });
    const folders = byFolder(files);
    const families = [...folders].flatMap(([folder, own]) =>
      basename(folder) === 'chats' && dirname(dirname(folder)) === root
        ? familiesOf(own, folders, memory)
        : [],
    );
    return { families, watched };
  },
};

type Folders = ReadonlyMap<string, readonly InventoryFile[]>;

function familiesOf(
  files: readonly InventoryFile[],
  folders: Folders,
  memory: OriginMemory,
): TranscriptFamily[] {
  const mains = new Map<string, InventoryFile>();
  for (const file of inUse(files.filter(({ name }) => name.startsWith('session-')))) {
    const id = originOf(file, { memory, bytes: HEAD_BYTES, read: readSessionId });
    if (typeof id !== 'string') continue;
    const other = mains.get(id);
    // Every resume may leave another file behind; the largest one is used.
    if (other === undefined || file.size > other.size) mains.set(id, file);
  }
  const [first] = mains.values();
  const cwd = first === undefined ? undefined : projectRoot(dirname(first.folder));
  return [...mains].map(([id, main]) =>
    toFamily({
      type: 'gemini-cli',
      id,
      main,
      parts: agentParts(main.folder, id, folders),
      cwd,
    }),
  );
}

function agentParts(chats: string, sessionId: string, folders: Folders): FamilyPart[] {
  const parts: FamilyPart[] = [];
  const seen = new Set([sessionId]);
  // Grows during iteration, so that agents of agents are found too.
  for (const parent of seen) {
    for (const file of inUse(folders.get(join(chats, basename(parent))) ?? [])) {
      const id = file.name.replace(/\.jsonl?$/, '');
      if (seen.has(id)) continue;
      seen.add(id);
      parts.push({ id, path: file.path, files: [file] });
    }
  }
  return parts;
}

/** A chat from before 0.39 that was resumed since exists in both formats; the JSON lines are current. */
function inUse(files: readonly InventoryFile[]): InventoryFile[] {
  const present = new Set(files.map(({ name }) => name));
  return files.filter(({ name }) => !present.has(`${name}l`));
}

function readSessionId(head: string): string | undefined {
  return /"sessionId"\s*:\s*"([^"]+)"/.exec(head)?.[1];
}

function projectRoot(project: string): string | undefined {
  try {
    return readExistingNow(join(project, '.project_root'))?.trim() || undefined;
  } catch {
    // Older versions do not write it.
    return undefined;
  }
}

const HEAD_BYTES = 1 << 12;
