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

/** The state of a session for views. A new object after every change. */
export interface RemoteSessionState {
  readonly connection: ConnectionState;
  /** False until the session's state has arrived once. */
  readonly isReady: boolean;
  readonly conversation: ConversationState;
  /** Number of blocks of a thread before those of `conversation`. */
  readonly before: (thread: string) => number;
  readonly isExecuting: boolean;
  /** Open questions. */
  readonly questions: readonly LiveQuestion[];
  /** True when another process runs the session and it accepts no prompts. */
  readonly isReadOnly: boolean;
  readonly model: string | undefined;
  readonly permissionMode: PermissionMode | undefined;
  readonly context: ContextWindowState | undefined;
  /** Queued prompts of all clients, next first. */
  readonly queue: readonly SentPrompt[];
  /** Prompts sent from here that have not started yet, oldest first. */
  readonly sent: readonly SentPrompt[];
  readonly notices: readonly SessionNotice[];
}

/** A prompt that was sent but is not part of the conversation yet. */
export interface SentPrompt {
  readonly messageId: string;
  readonly text: string;
}

/** A session as a store for views; connected while it has subscribers. */
export interface RemoteSessionStore {
  readonly subscribe: (listener: () => void) => () => void;
  readonly getState: () => RemoteSessionState;
  submit(text: string, parts?: SubmitOptions['parts']): Promise<SubmitOutcome>;
  /** Answers the fields of a question; false when it was already answered. */
  answerFields(questionId: string, answers: Readonly<Record<string, string>>): Promise<boolean>;
  /** False when it was already answered. */
  answer(questionId: string, decision: PermissionDecisionMessage): Promise<boolean>;
  abort(): void;
  /** Removes one queued prompt, or all of them. */
  cancelQueue(messageId?: string): void;
  executeCommand: RemoteSession['executeCommand'];
}

export interface RemoteSessionStoreOptions {
  readonly open: () => RemoteSession;
  /** Schedules `update`, batching changes; by default with the next animation frame. */
  readonly schedule?: ((update: () => void) => void) | undefined;
}

const INITIAL_STATE: RemoteSessionState = {
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

/** Events that change the state. */
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
/** Only the newest notices are kept. */
const MAX_NOTICES = 5;

/** Creates a store for a session. */
export function remoteSessionStore(options: RemoteSessionStoreOptions): RemoteSessionStore {
  const schedule = options.schedule ?? soon;
  const listeners = new Set<() => void>();
  let state = INITIAL_STATE;
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
      // `connection` reports a refusal with its reason.
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
        state = { ...INITIAL_STATE, conversation: state.conversation };
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
    // `connection` reports a session that cannot be reached.
    abort: () => void current().abort().catch(unreachable),
    cancelQueue(messageId) {
      void current().cancelQueue(messageId).catch(unreachable);
      const isKept = (prompt: SentPrompt) =>
        messageId !== undefined && prompt.messageId !== messageId;
      // Removed at once, before the server confirms.
      put({ sent: state.sent.filter(isKept), queue: state.queue.filter(isKept) });
    },
    executeCommand: (name, args) => current().executeCommand(name, args),
  };
}

function unreachable(): void {
  // Reported by `connection`, which every view shows.
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

/** Runs with the next animation frame, so that many deltas cause one render. */
function soon(update: () => void): void {
  const { requestAnimationFrame } = globalThis as {
    requestAnimationFrame?: (callback: () => void) => number;
  };
  const { document } = globalThis as { document?: { readonly hidden: boolean } };
  // Hidden pages get no frames but must still update, for example to notify.
  if (requestAnimationFrame && document?.hidden === false) requestAnimationFrame(update);
  else setTimeout(update, 16);
}
