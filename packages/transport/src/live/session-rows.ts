import { basename } from 'node:path';
import type { CatalogueSession } from '@robota-sdk/agent-archive';
import { type HostedSession, type LiveSession, redactText } from '@robota-sdk/agent-sdk';
import { neutraliseLine } from '@robota-sdk/agent-transcript';
import type { SessionActivity, SessionRow } from '../protocol.ts';

/** Everything known about a session that is open here. */
export interface LiveFacts {
  readonly session: LiveSession;
  /** From the session store. */
  readonly hosted: HostedSession | undefined;
  /** From its transcript, once it has one. */
  readonly catalogued: CatalogueSession | undefined;
  /** Whether its last turn failed. */
  readonly hasFailed: boolean;
}

function activityOf(session: LiveSession): SessionActivity {
  if (session.getQuestions().length > 0) return 'waiting';
  return session.isExecuting() ? 'working' : 'idle';
}

export function liveRow({ session, hosted, catalogued, hasFailed }: LiveFacts): SessionRow {
  const activity = activityOf(session);
  const cwd = session.getCwd() ?? catalogued?.cwd;
  const name = shownLine(session.getName()) ?? catalogued?.name;
  const preview = catalogued?.preview || firstPrompt(session);
  return plain({
    ...(catalogued && savedFacts(catalogued)),
    id: session.sessionId,
    agent: session.agent,
    native_id: session.nativeId,
    name,
    title: name ?? catalogued?.title ?? (preview || 'New session'),
    preview,
    project: catalogued?.project || basename(cwd ?? ''),
    cwd,
    model: shownLine(session.getModel()) ?? catalogued?.model,
    permission_mode: session.getPermissionMode(),
    state: activity === 'idle' && hasFailed ? 'failed' : activity,
    access: 'drive',
    is_live: true,
    node: catalogued?.runs?.node,
    ...storedFacts(hosted),
    updated_at: latest(hosted?.updatedAt, catalogued?.updatedAt),
    message_count: session.getMessageCount(),
  });
}

/** A transcript without new entries for this long counts as idle, whatever its file time says. */
export const RECENTLY_MS = 60_000;

function isBeingWritten(
  { isLive, updatedAt }: Pick<CatalogueSession, 'isLive' | 'updatedAt'>,
  now: number,
): boolean {
  return isLive && now - updatedAt < RECENTLY_MS;
}

/** A session not open here; `drive` when we can resume it. */
export function savedRow(session: CatalogueSession, hosted: HostedSession | undefined): SessionRow {
  const { runs, sharedId } = session;
  const isOurs = session.agent === 'robota' || hosted !== undefined || sharedId !== undefined;
  const otherAccess = session.isLive ? 'follow' : 'closed';
  return plain({
    ...savedFacts(session),
    id: hosted?.id ?? sharedId ?? session.id,
    agent: session.agent,
    native_id: hosted?.nativeId ?? (sharedId === session.id ? undefined : sharedId && session.id),
    name: session.name,
    title: session.title,
    preview: session.preview,
    project: session.project,
    cwd: session.cwd,
    model: session.model,
    // Other programs count as working while they write.
    state: runs?.state ?? (!isOurs && isBeingWritten(session, Date.now()) ? 'working' : 'idle'),
    access: isOurs ? 'drive' : otherAccess,
    is_live: session.isLive,
    node: runs?.node,
    ...storedFacts(hosted),
    updated_at: new Date(session.updatedAt).toISOString(),
    message_count: session.messages,
  });
}

/** A session known only by its store entry or record. */
export function hostedRow(hosted: HostedSession): SessionRow {
  const { id, agent, nativeId, cwd, isLive, isExecuting } = hosted;
  const name = shownLine(hosted.name);
  const preview = shownLine(hosted.preview) ?? '';
  return plain({
    id,
    agent,
    native_id: nativeId,
    name,
    title: name ?? (preview || 'New session'),
    preview,
    project: basename(cwd),
    cwd,
    state: isExecuting ? 'working' : 'idle',
    access: 'drive',
    is_live: isLive,
    ...storedFacts(hosted),
    updated_at: latest(hosted.updatedAt, undefined),
    message_count: hosted.messageCount,
  });
}

function savedFacts(session: CatalogueSession) {
  const { branch, costUsd, unpriced, forkOf, isPinned, isArchived } = session;
  return {
    branch,
    cost_usd: costUsd,
    unpriced_requests: unpriced,
    fork_of: forkOf,
    is_pinned: isPinned,
    is_archived: isArchived,
  };
}

function storedFacts(hosted: HostedSession | undefined) {
  return {
    lifecycle: hosted?.state,
    surfaces: hosted?.surfaces?.flatMap((surface) => shownLine(surface) ?? []),
    user: shownLine(hosted?.userId),
  };
}

function latest(stored: string | undefined, catalogued: number | undefined): string {
  const times = [stored === undefined ? 0 : Date.parse(stored), catalogued ?? 0];
  const time = Math.max(...times.filter((value) => !Number.isNaN(value)));
  return new Date(time === 0 ? Date.now() : time).toISOString();
}

const PREVIEW_LENGTH = 120;

/** Lists are shown everywhere, so secrets are redacted and terminal escapes neutralised. */
function shownLine(text: string | undefined): string | undefined {
  return text === undefined ? undefined : neutraliseLine(redactText(text));
}

function firstPrompt(session: LiveSession): string {
  const block = session.getConversation().blocks.find(({ type }) => type === 'user_message');
  if (block?.type !== 'user_message') return '';
  const parts = typeof block.content === 'string' ? [block.content] : block.content.flatMap(textOf);
  return neutraliseLine(redactText(parts.join(' '))).slice(0, PREVIEW_LENGTH);
}

function textOf(part: object): string[] {
  return 'text' in part && typeof part.text === 'string' ? [part.text] : [];
}

/** Drops undefined fields. */
function plain(
  row: { readonly [Key in keyof SessionRow]: SessionRow[Key] | undefined },
): SessionRow {
  const given = Object.entries(row).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given) as SessionRow;
}
