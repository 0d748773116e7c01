import { randomUUID } from 'node:crypto';
import { readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { AgentPaths } from '../agent-architecture-adapter.ts';
import { foldersIn, namesIn, readHead } from '../transcript-head.ts';
import { chatName } from './profile.ts';

/** The chat of a session. Resuming leaves almost empty duplicates behind, so the largest one is used. */
export async function findChat(sessionId: string, paths: AgentPaths): Promise<string | undefined> {
  return findChatIn(paths.AGENT_STORAGE_DIR, sessionId);
}

/** As `findChat`, in any folder of projects. */
export async function findChatIn(root: string, sessionId: string): Promise<string | undefined> {
  return (await findChats(sessionId, root))[0];
}

/**
 * Prepares a chat for a resume. A chat of the current minute is renamed, because the program would overwrite it;
 * empty duplicates are removed, because the program would delete the real chat with them.
 */
export async function prepareForResume(sessionId: string, paths: AgentPaths): Promise<void> {
  const [path, ...duplicates] = await findChats(sessionId, paths.AGENT_STORAGE_DIR);
  if (path === undefined) return;
  for (const duplicate of duplicates) {
    if (await isEmptyChat(duplicate)) await rm(duplicate);
  }
  await rename(path, join(dirname(path), chatName(sessionId)));
}

/** The protocol has no fork, so the chat is copied under another id. */
export async function forkChat(sessionId: string, paths: AgentPaths): Promise<string> {
  const path = await findChat(sessionId, paths);
  if (path === undefined) throw new Error(`Cannot fork session ${sessionId}: it has no chat`);
  const forkId = randomUUID();
  const text = (await readFile(path, 'utf8')).replaceAll(sessionId, forkId);
  await writeFile(join(dirname(path), chatName(forkId)), text, { mode: 0o600 });
  return forkId;
}

/** Sorted by size, largest first. */
async function findChats(sessionId: string, root: string): Promise<readonly string[]> {
  const found: { readonly path: string; readonly size: number }[] = [];
  for (const project of await foldersIn(root)) {
    const chats = join(project, 'chats');
    for (const name of await namesIn(chats)) {
      const path = join(chats, name);
      if (!isChatOf(name, sessionId) || !(await containsSession(path, sessionId))) continue;
      found.push({ path, size: (await stat(path)).size });
    }
  }
  return found.sort((one, other) => other.size - one.size).map(({ path }) => path);
}

/** True if the chat contains only what the program writes on start. */
async function isEmptyChat(path: string): Promise<boolean> {
  const lines = (await readFile(path, 'utf8')).trim().split('\n');
  return lines.every((line) => /^\{"(?:sessionId|\$set)"/.test(line) && !line.includes('"gemini"'));
}

function isChatOf(name: string, sessionId: string): boolean {
  return name.startsWith('session-') && name.includes(`-${sessionId.slice(0, 8)}.json`);
}

async function containsSession(path: string, sessionId: string): Promise<boolean> {
  const head = await readHead(path);
  return head?.text.includes(`"${sessionId}"`) === true;
}
