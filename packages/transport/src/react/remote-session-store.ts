import type { ContextWindowState } from '@robota-sdk/agent-core';
import type { PermissionRequest, SessionNotice, SubmitOutcome } from '@robota-sdk/agent-sdk';
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
  readonly isExecuting: boolean;
  readonly questions: readonly PermissionRequest[];
  readonly context: ContextWindowState | undefined;
  /** Prompts given here that have not begun to be answered, oldest first. */
  readonly sent: readonly SentPrompt[];
  readonly notices: readonly SessionNotice[];
}

export interface SentPrompt {
  readonly messageId: string;
  readonly text: string;
}

/** A session as a store that views subscribe to; the line is open while somebody does. */
export interface RemoteSessionStore {
  readonly subscribe: (listener: () => void) => () => void;
  readonly getState: () => RemoteSessionState;
  submit(text: string): Promise<SubmitOutcome>;
  /** False when somebody else was first. */
  answer(questionId: string, decision: PermissionDecisionMessage): Promise<boolean>;
  abort(): void;
  cancelQueue(): void;
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
  isExecuting: false,
  questions: [],
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
  'permission_request',
  'permission_resolved',
  'complete',
  'interrupted',
  'resync',
] as const;
/** Older notices make room; the newest is what a person needs. */
const MAX_NOTICES = 5;

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
    async submit(text) {
      const messageId = globalThis.crypto.randomUUID();
      put({ sent: [...state.sent, { messageId, text }] });
      try {
        return await current().submit(text, text, undefined, { messageId });
      } finally {
        dropSent((prompt) => prompt.messageId === messageId);
      }
    },
    answer: (questionId, decision) => current().answerPermission(questionId, decision),
    // A session that cannot be reached is told by `connection`.
    abort: () => void current().abort().catch(unreachable),
    cancelQueue() {
      void current().cancelQueue().catch(unreachable);
      put({ sent: [] });
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
    isExecuting: session.isExecuting(),
    questions: session.getPendingPermissions(),
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
