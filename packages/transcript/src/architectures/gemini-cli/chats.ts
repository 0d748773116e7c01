import { randomUUID } from 'node:crypto';
import { readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { AgentPaths } from '../agent-architecture-adapter.ts';
import { foldersIn, namesIn, readHead } from '../transcript-head.ts';
import { chatName } from './profile.ts';

/** The chat of a session. Resuming leaves empty namesakes behind, so the one with the most in it is the one. */
export async function findChat(sessionId: string, paths: AgentPaths): Promise<string | undefined> {
  return findChatIn(paths.AGENT_STORAGE_DIR, sessionId);
}

/** The same below any folder of projects. */
export async function findChatIn(root: string, sessionId: string): Promise<string | undefined> {
  return (await findChats(sessionId, root))[0];
}

/**
 * Makes a chat fit to be resumed. One of the present minute is renamed, because the program would begin it anew;
 * namesakes in which nothing was said go, because the program would delete the real one with them.
 */
export async function stepAside(sessionId: string, paths: AgentPaths): Promise<void> {
  const [path, ...namesakes] = await findChats(sessionId, paths.AGENT_STORAGE_DIR);
  if (path === undefined) return;
  for (const namesake of namesakes) {
    if (await isEmptyChat(namesake)) await rm(namesake);
  }
  await rename(path, join(dirname(path), chatName(sessionId)));
}

/** The protocol knows no fork: a chat of another id that begins with the same lines is one. */
export async function forkChat(sessionId: string, paths: AgentPaths): Promise<string> {
  const path = await findChat(sessionId, paths);
  if (path === undefined) throw new Error(`Cannot fork session ${sessionId}: it has no chat`);
  const forkId = randomUUID();
  const text = (await readFile(path, 'utf8')).replaceAll(sessionId, forkId);
  await writeFile(join(dirname(path), chatName(forkId)), text, { mode: 0o600 });
  return forkId;
}

/** The largest first. */
async function findChats(sessionId: string, root: string): Promise<readonly string[]> {
  const found: { readonly path: string; readonly size: number }[] = [];
  for (const project of await foldersIn(root)) {
    const chats = join(project, 'chats');
    for (const name of await namesIn(chats)) {
      const path = join(chats, name);
      if (!isChatOf(name, sessionId) || !(await holdsSession(path, sessionId))) continue;
      found.push({ path, size: (await stat(path)).size });
    }
  }
  return found.sort((one, other) => other.size - one.size).map(({ path }) => path);
}

/** Only what the program itself wrote at its start. */
async function isEmptyChat(path: string): Promise<boolean> {
  const lines = (await readFile(path, 'utf8')).trim().split('\n');
  return lines.every((line) => /^\{"(?:sessionId|\$set)"/.test(line) && !line.includes('"gemini"'));
}

function isChatOf(name: string, sessionId: string): boolean {
  return name.startsWith('session-') && name.includes(`-${sessionId.slice(0, 8)}.json`);
}

async function holdsSession(path: string, sessionId: string): Promise<boolean> {
  const head = await readHead(path);
  return head?.text.includes(`"${sessionId}"`) === true;
}
