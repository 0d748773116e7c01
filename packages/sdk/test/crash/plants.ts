import { appendFileSync } from 'node:fs';
import type { ArchiveNode, SessionClaim, SharedArchive } from '@robota-sdk/agent-archive';
import type { SavedSession, SessionLogger, SessionRecordStore } from '@robota-sdk/agent-session';
import type { NodeStart } from './order.ts';

/** Bugs that are planted to see the judge find them; without one everything is passed on as it is. */
export function plantedArchive(archive: SharedArchive, { bug }: NodeStart): SharedArchive {
  if (bug !== 'consume') return archive;
  return changed(archive, {
    // Everybody who answers is told that it counts.
    answer: async (...args: Parameters<SharedArchive['answer']>) => {
      await archive.answer(...args);
      return true;
    },
  });
}

export function plantedNode(node: ArchiveNode, start: NodeStart): ArchiveNode {
  const { bug } = start;
  if (bug === undefined || bug === 'prefix') return node;
  return changed(node, {
    claim: async (...args: Parameters<ArchiveNode['claim']>) => {
      const claim = await node.claim(...args);
      if (!claim) return claim;
      return bug === 'consume'
        ? neverTaking(claim)
        : changed(claim, { records: plantedRecords(claim.records, start, claim.logger) });
    },
  });
}

let isForking = false;
let copies = 0;

/** Lets the plant of *fork* know whose past is being read. */
export async function whileForking<Result>(fork: () => Promise<Result>): Promise<Result> {
  isForking = true;
  try {
    return await fork();
  } finally {
    isForking = false;
  }
}

/** Where records are kept and sessions are opened from, with a bug in what it saves or what it opens. */
export function plantedRecords<Records extends SessionRecordStore>(
  records: Records,
  { bug, effects }: NodeStart,
  logger?: SessionLogger,
): Records {
  const members: Partial<SessionRecordStore> = {
    // A proxy of the claim's logger is not the logger that the store knows.
    ...(logger && { keepsLogOf: () => true }),
  };
  if (bug === 'checkpoint') {
    // Says that it holds the log up to its end, and lacks the last message.
    members.save = (record) => records.save({ ...record, messages: record.messages.slice(0, -1) });
  }
  if (bug === 'effects' || bug === 'recovery' || bug === 'fork') {
    const spoil = (saved: SavedSession | undefined) => {
      if (saved && bug === 'effects' && !isForking) runAgain(saved, effects);
      if (saved && bug === 'recovery') forgetBegun(saved);
      // Every second copy lacks the end.
      if (saved && bug === 'fork' && isForking && copies++ % 2 === 1) forgetLast(saved);
      return saved;
    };
    members.open = (id, fellows) => {
      const saved = records.open?.(id, fellows);
      return saved instanceof Promise ? saved.then(spoil) : spoil(saved);
    };
  }
  return changed(records, members as Partial<Records>);
}

/** Nobody knows any more which calls had begun. */
function forgetBegun({ fold }: SavedSession): void {
  for (const call of Object.values(fold.state.calls)) call.hasStarted = false;
}

function forgetLast({ fold }: SavedSession): void {
  (fold.state.messages as unknown[]).pop();
}

/** Recovery that does once more what had begun. */
function runAgain({ fold }: SavedSession, effects: string): void {
  for (const [id, { hasStarted, result }] of Object.entries(fold.state.calls)) {
    if (hasStarted && !result) appendFileSync(effects, `${id}\n`);
  }
}

/** The log does not say which item of the inbox a prompt was. */
function neverTaking(claim: SessionClaim): SessionClaim {
  const openSink = (id: string) => {
    const sink = claim.logger.openSink?.(id);
    if (!sink) throw new Error('A claim has a sink');
    return changed(sink, {
      append: (text: string) => sink.append(text.replace(/,"messageId":"[^"]*"/, '')),
    });
  };
  const logger = changed(claim.logger, { openSink });
  const records = changed(claim.records, { keepsLogOf: () => true });
  return changed(claim, { logger, records });
}

/** The same object with some of its members replaced. */
function changed<Subject extends object>(subject: Subject, members: Partial<Subject>): Subject {
  return new Proxy(subject, {
    get(target, key) {
      if (key in members) return Reflect.get(members, key);
      const value: unknown = Reflect.get(target, key);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}
