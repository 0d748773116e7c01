import type { ContextWindowState, PermissionMode } from '@robota-sdk/agent-core';
import type {
  LiveQuestion,
  SessionNotice,
  SubmitOptions,
  SubmitOutcome,
} from '@robota-sdk/agent-sdk';
import { type ConversationState, EMPTY_CONVERSATION } from '@robota-sdk/agent-transcript';
import type { ConnectionState } from '../client/connection.ts';
import type { RemoteSession } from '../client/remote-session.ts';
import type { PermissionDecisionMessage } from '../protocol.ts';

/** What a surface shows of a session. A new object whenever something changed. */
export interface RemoteSessionState {
  readonly connection: ConnectionState;
  /** False until the session's state has arrived once. */
  readonly isReady: boolean;
  readonly conversation: ConversationState;
  /** How many blocks of each thread stand before those of `conversation`. */
  readonly before: (thread: string) => number;
  readonly isExecuting: boolean;
  /** What somebody has to decide. */
  readonly questions: readonly LiveQuestion[];
  /** Whether another process holds the session, so that it can only be looked at. */
  readonly isReadOnly: boolean;
  readonly model: string | undefined;
  readonly permissionMode: PermissionMode | undefined;
  readonly context: ContextWindowState | undefined;
  /** Prompts that wait, whoever gave them, the next one first. */
  readonly queue: readonly SentPrompt[];
  /** Prompts given here that have not begun to be answered, oldest first. */
  readonly sent: readonly SentPrompt[];
  readonly notices: readonly SessionNotice[];
}

/** A prompt that was sent and is not shown by the server yet. */
export interface SentPrompt {
  readonly messageId: string;
  readonly text: string;
}

/** A session as a store that views subscribe to; the line is open while somebody does. */
export interface RemoteSessionStore {
  readonly subscribe: (listener: () => void) => () => void;
  readonly getState: () => RemoteSessionState;
  submit(text: string, parts?: SubmitOptions['parts']): Promise<SubmitOutcome>;
  /** Words for the fields of a question; false when somebody else was first. */
  answerFields(questionId: string, answers: Readonly<Record<string, string>>): Promise<boolean>;
  /** False when somebody else was first. */
  answer(questionId: string, decision: PermissionDecisionMessage): Promise<boolean>;
  abort(): void;
  /** Takes one waiting prompt out of the queue, or all of them. */
  cancelQueue(messageId?: string): void;
  executeCommand: RemoteSession['executeCommand'];
}

export interface RemoteSessionStoreOptions {
  readonly open: () => RemoteSession;
  /** Runs `update` soon, once for many changes: in a browser with the next frame. */
  readonly schedule?: ((update: () => void) => void) | undefined;
}

const NOTHING_YET: RemoteSessionState = {
  connection: { state: 'connecting' },
  isReady: false,
  conversation: EMPTY_CONVERSATION,
  before: () => 0,
  isExecuting: false,
  questions: [],
  isReadOnly: false,
  model: undefined,
  permissionMode: undefined,
  queue: [],
  context: undefined,
  sent: [],
  notices: [],
};

/** Everything that changes what is shown. */
const CHANGES = [
  'stream_event',
  'thinking',
  'tool_start',
  'tool_end',
  'context_update',
  'question',
  'question_resolved',
  'queue',
  'state',
  'complete',
  'interrupted',
  'resync',
] as const;
/** Older notices make room; the newest is what a person needs. */
const MAX_NOTICES = 5;

/** A session as a store that components subscribe to. */
export function remoteSessionStore(options: RemoteSessionStoreOptions): RemoteSessionStore {
  const schedule = options.schedule ?? soon;
  const listeners = new Set<() => void>();
  let state = NOTHING_YET;
  let session: RemoteSession | undefined;
  let isScheduled = false;

  const put = (change: Partial<RemoteSessionState>): void => {
    state = { ...state, ...change };
    for (const listener of listeners) listener();
  };
  const refresh = (): void => {
    if (isScheduled) return;
    isScheduled = true;
    schedule(() => {
      isScheduled = false;
      if (session) put(viewOf(session));
    });
  };
  const dropSent = (matches: (prompt: SentPrompt) => boolean): void => {
    const index = state.sent.findIndex(matches);
    if (index !== -1) put({ sent: state.sent.filter((_, at) => at !== index) });
  };
  const connect = (): RemoteSession => {
    const opened = options.open();
    for (const event of CHANGES) opened.on(event, refresh);
    opened.on('user_message', (text) => dropSent((prompt) => prompt.text === text));
    opened.on('notice', (notice) =>
      put({ notices: [...state.notices, notice].slice(-MAX_NOTICES) }),
    );
    opened.on('connection', (connection) => put({ connection }));
    opened.whenReady().then(
      () => put({ ...viewOf(opened), isReady: true }),
      // A refusal is told by `connection`, with its reason.
      () => undefined,
    );
    return opened;
  };
  const current = (): RemoteSession => {
    session ??= connect();
    return session;
  };

  return {
    subscribe(listener) {
      listeners.add(listener);
      current();
      return () => {
        listeners.delete(listener);
        if (listeners.size > 0) return;
        session?.close();
        session = undefined;
        state = { ...NOTHING_YET, conversation: state.conversation };
      };
    },
    getState: () => state,
    async submit(text, parts) {
      const messageId = globalThis.crypto.randomUUID();
      put({ sent: [...state.sent, { messageId, text }] });
      try {
        return await current().submit(text, text, undefined, { messageId, parts });
      } finally {
        dropSent((prompt) => prompt.messageId === messageId);
      }
    },
    answerFields: (questionId, answers) => current().answer(questionId, { answers }),
    answer: (questionId, decision) => current().answerPermission(questionId, decision),
    // A session that cannot be reached is told by `connection`.
    abort: () => void current().abort().catch(unreachable),
    cancelQueue(messageId) {
      void current().cancelQueue(messageId).catch(unreachable);
      const isKept = (prompt: SentPrompt) =>
        messageId !== undefined && prompt.messageId !== messageId;
      // Gone at once, before the server tells of it.
      put({ sent: state.sent.filter(isKept), queue: state.queue.filter(isKept) });
    },
    executeCommand: (name, args) => current().executeCommand(name, args),
  };
}

function unreachable(): void {
  // Told by `connection`, which every view shows.
}

function viewOf(session: RemoteSession): Partial<RemoteSessionState> {
  return {
    conversation: session.getConversation(),
    before: (thread) => session.getBlocksBefore(thread),
    isReadOnly: session.access !== 'drive',
    queue: session.getQueue().map(({ displayInput, messageId }) => ({
      messageId: messageId ?? '',
      text: displayInput,
    })),
    model: session.getModel(),
    permissionMode: session.getPermissionMode(),
    isExecuting: session.isExecuting(),
    questions: session.getQuestions(),
    context: session.getContextState(),
  };
}

/** With the next frame where there are frames, so that a hundred deltas cost one drawing. */
function soon(update: () => void): void {
  const { requestAnimationFrame } = globalThis as {
    requestAnimationFrame?: (callback: () => void) => number;
  };
  const { document } = globalThis as { document?: { readonly hidden: boolean } };
  // A hidden page gets no frames, and must still know when it is needed.
  if (requestAnimationFrame && document?.hidden === false) requestAnimationFrame(update);
  else setTimeout(update, 16);
}
