import { basename, dirname, join, sep } from 'node:path';
import {
  byFolder,
  type FamilyPart,
  type InventoryFile,
  originOf,
  toFamily,
  walkFiles,
} from '../inventory-files.ts';
import type { OriginMemory, SessionInventory, TranscriptFamily } from '../session-inventory.ts';

/** `projects/<project>/<session>.jsonl`, with subagents in the same folder or in `<session>/subagents/`. */
export const claudeInventory: SessionInventory = {
  take({ home, environment }, memory) {
    const root = join(environment.CLAUDE_CONFIG_DIR || join(home, '.claude'), 'projects');
    const { files, watched } = walkFiles([root], {
      depth: 3,
      accepts: (name) => /\.jsonl$|^agent-.*\.meta\.json$/.test(name),
    });
    const folders = byFolder(files);
    const families = [...folders].flatMap(([folder, own]) =>
      dirname(folder) === root ? familiesOf(own, folders, memory) : [],
    );
    return { families: [...families, ...orphanAgents(folders, root)], watched };
  },
};

type Folders = ReadonlyMap<string, readonly InventoryFile[]>;

function familiesOf(
  files: readonly InventoryFile[],
  folders: Folders,
  memory: OriginMemory,
): TranscriptFamily[] {
  const mains = files.filter(({ name }) => name.endsWith('.jsonl') && !AGENT_FILE.test(name));
  const ids = new Set(mains.map(({ name }) => basename(name, '.jsonl')));
  const owned = new Map<string | undefined, FamilyPart[]>();
  for (const part of agentParts(files)) {
    const named = sessionIdsIn(part.files[0], memory);
    const owner = named.findLast((id) => ids.has(id));
    owned.set(owner, [...(owned.get(owner) ?? []), part]);
  }
  const families = mains.map((main) => {
    const id = basename(main.name, '.jsonl');
    // Equal to `join`, which would scan every character of every path.
    const nested = folders.get(`${main.folder}${sep}${id}${sep}subagents`) ?? [];
    return toFamily({
      type: TYPE,
      id,
      main,
      parts: [...agentParts(nested), ...(owned.get(id) ?? [])],
    });
  });
  return [...families, ...(owned.get(undefined) ?? []).flatMap(toOrphan)];
}

/** Agents of a session whose own file is gone. */
function orphanAgents(folders: Folders, root: string): TranscriptFamily[] {
  return [...folders].flatMap(([folder, files]) => {
    if (basename(folder) !== 'subagents' || dirname(dirname(dirname(folder))) !== root) return [];
    const session = dirname(folder);
    const siblings = folders.get(dirname(session)) ?? [];
    const hasMain = siblings.some(({ name }) => name === `${basename(session)}.jsonl`);
    return hasMain ? [] : agentParts(files).flatMap(toOrphan);
  });
}

function toOrphan({ id, files }: FamilyPart): TranscriptFamily[] {
  const [main] = files;
  return main === undefined ? [] : [toFamily({ type: TYPE, id, main, isOrphan: true })];
}

function agentParts(files: readonly InventoryFile[]): FamilyPart[] {
  const byName = new Map(files.map((file) => [file.name, file]));
  return files.flatMap((file) => {
    const id = AGENT_FILE.exec(file.name)?.[1];
    if (id === undefined) return [];
    const meta = byName.get(`agent-${id}.meta.json`);
    if (meta === undefined) return [{ id, path: file.path, files: [file] }];
    return [{ id, path: file.path, metaPath: meta.path, files: [file, meta] }];
  });
}

/** A cache warm-up agent first names a session that does not exist, and the real one later. */
function sessionIdsIn(file: InventoryFile | undefined, memory: OriginMemory): readonly string[] {
  if (file === undefined) return [];
  const read = (head: string) => [
    ...new Set(
      [...head.matchAll(/"sessionId":"([^"]+)"/g)].map((match) => match[1] ?? '').reverse(),
    ),
  ];
  // Produced by `read` above, which returns strings.
  const ids = (originOf(file, { memory, bytes: HEAD_BYTES, read }) ?? []) as readonly string[];
  return ids.toReversed();
}

const TYPE = 'claude-agent-sdk';
const AGENT_FILE = /^agent-(.+)\.jsonl$/;
const HEAD_BYTES = 1 << 16;
