import { type Message, messageToHistoryEntry } from '@robota-sdk/agent-core';
import {
  openSavedSession,
  type SessionRecord,
  type SessionRecordStore,
} from '@robota-sdk/agent-session';
import type { ConversationBlock } from '@robota-sdk/agent-transcript';
import {
  type HandOverStep,
  type NewTranscript,
  SUMMARY_MARK,
  toMessages,
  toSteps,
} from '@robota-sdk/agent-transcript/architectures';
import { BlocksFold } from '@robota-sdk/agent-transcript/blocks';

/** Options of an `InteractiveSession` that forks a session not in its own store. */
export interface ForkStart {
  readonly resumeSessionId: string;
  readonly forkSession: true;
  readonly sessionStore: SessionRecordStore;
}

/** The source session as a record: the model reads the steps, users see the original blocks. */
export function toForkRecord(
  steps: readonly HandOverStep[],
  session: NewTranscript,
  blocks: readonly ConversationBlock[],
): SessionRecord {
  const messages = toMessages(steps, session);
  const at = session.now.toISOString();
  const { state, ...rest } = new BlocksFold().save();
  return {
    id: session.origin.id,
    cwd: session.cwd,
    createdAt: at,
    updatedAt: at,
    messages,
    history: messages.filter(isShown).map(messageToHistoryEntry),
    folds: { blocks: { ...rest, state: { ...state, blocks } } },
    handedOverFrom: session.origin,
  };
}

/** Delegates to `store`, but also finds the source session. */
export function toForkStart(record: SessionRecord, store: SessionRecordStore): ForkStart {
  const { id } = record;
  // File stores also have a log directory.
  const { logDirectory } = store as { readonly logDirectory?: string };
  const sessionStore: SessionRecordStore & { readonly logDirectory?: string } = {
    ...(logDirectory !== undefined && { logDirectory }),
    save: (saved) => store.save(saved),
    load: (wanted) => (wanted === id ? record : store.load(wanted)),
    list: () => store.list(),
    delete: (wanted) => store.delete(wanted),
    open: (wanted, fellows) =>
      wanted === id
        ? openSavedSession({ id, record, logFile: undefined, fellows })
        : store.open?.(wanted, fellows),
    ...(store.getFilePath && { getFilePath: store.getFilePath.bind(store) }),
    ...(store.getLogPath && { getLogPath: store.getLogPath.bind(store) }),
    ...(store.openVault && { openVault: store.openVault.bind(store) }),
    ...(store.lock && { lock: store.lock.bind(store) }),
  };
  return { resumeSessionId: id, forkSession: true, sessionStore };
}

/** The steps our own engine would read from the record's messages. */
export function readForkRecord({ messages }: SessionRecord): HandOverStep[] {
  const fold = new BlocksFold();
  for (const message of messages) {
    fold.apply({ n: 0, time: 0, event: 'history_mutation', mutation: 'append_message', message });
  }
  return toSteps(fold.state.blocks.map(asSummary));
}

function asSummary(block: ConversationBlock): ConversationBlock {
  if (block.type !== 'assistant_text' || !block.content.startsWith(SUMMARY_MARK)) return block;
  const { id, timestamp } = block;
  const summary = block.content.slice(SUMMARY_MARK.length + 1);
  const metadata = { compaction: { summary } };
  return { type: 'system', id, timestamp, subtype: 'status', message: 'Summary', metadata };
}

function isShown({ role }: Message): boolean {
  return role === 'user' || role === 'assistant';
}
