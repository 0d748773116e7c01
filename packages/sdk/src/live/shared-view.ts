import type { SharedArchive } from '@robota-sdk/agent-archive';
import type { ContextWindowState, PermissionMode } from '@robota-sdk/agent-core';
import type { ToolState } from '@robota-sdk/agent-core/log';
import type { ConversationState } from '@robota-sdk/agent-transcript';
import type { EventHub } from '../interactive/event-hub.ts';
import type { SubmitOutcome } from '../interactive/execution-result.ts';
import type { ModelCost } from '../interactive/model-cost.ts';
import type { LiveQuestion } from './live-question.ts';

/** Dependencies and callbacks of a view of an archived session. */
export interface SharedViewParts {
  readonly sessionId: string;
  readonly archive: SharedArchive;
  /** An item was added to or removed from the session's inbox. */
  readonly onInbox: () => void;
  /** The session was deleted, here or on another node. */
  readonly onRemoved: () => void;
  /** A turn ended; the message id is its prompt's, if it has one and its start was seen here. */
  readonly onTurnEnd: (outcome: SubmitOutcome, messageId: string | undefined) => void;
}

/** State of an archived session, kept up to date by following its lines, and the events they produce. */
export interface SharedView {
  readonly events: EventHub;
  readonly nativeId: string | undefined;
  readonly conversation: ConversationState;
  /** The number of the last emitted entry. */
  readonly sequence: number;
  readonly isTurnOpen: boolean;
  /** Assistant text of the running or the last turn. */
  readonly text: string;
  readonly tools: ToolState[];
  readonly context: ContextWindowState;
  /** Open questions. */
  readonly questions: readonly LiveQuestion[];
  readonly model: string | undefined;
  readonly permissionMode: PermissionMode | undefined;
  readonly name: string | undefined;
  costs(): Promise<ModelCost[]>;
  listCommands(): { readonly name: string; readonly description: string }[];
  listTools(): string[];
  /** Reads the existing lines, then follows new ones. */
  open(): Promise<void>;
  /** When it resolves, everything written before the call has been emitted. */
  refresh(): Promise<void>;
  close(): Promise<void>;
}
