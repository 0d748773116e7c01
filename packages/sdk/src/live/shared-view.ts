import type { SharedArchive } from '@robota-sdk/agent-archive';
import type { ContextWindowState, PermissionMode } from '@robota-sdk/agent-core';
import type { ToolState } from '@robota-sdk/agent-core/log';
import type { ConversationState } from '@robota-sdk/agent-transcript';
import type { EventHub } from '../interactive/event-hub.ts';
import type { SubmitOutcome } from '../interactive/execution-result.ts';
import type { ModelCost } from '../interactive/model-cost.ts';
import type { LiveQuestion } from './live-question.ts';

/** What a view of a session in an archive is made of, and whom it tells. */
export interface SharedViewParts {
  readonly sessionId: string;
  readonly archive: SharedArchive;
  /** Something came into the inbox of the session or left it. */
  readonly onInbox: () => void;
  /** A turn ended; the message id is that of its prompt, where it has one and was seen here. */
  readonly onTurnEnd: (outcome: SubmitOutcome, messageId: string | undefined) => void;
}

/** What an archive knows of a session, kept up to date by following its lines, and the events that they tell. */
export interface SharedView {
  readonly events: EventHub;
  readonly nativeId: string | undefined;
  readonly conversation: ConversationState;
  /** The number of the last entry that was told. */
  readonly sequence: number;
  readonly isTurnOpen: boolean;
  /** What has been said in the running or the last turn. */
  readonly text: string;
  readonly tools: ToolState[];
  readonly context: ContextWindowState;
  /** Asked and not answered. */
  readonly questions: readonly LiveQuestion[];
  readonly model: string | undefined;
  readonly permissionMode: PermissionMode | undefined;
  readonly name: string | undefined;
  costs(): Promise<ModelCost[]>;
  listCommands(): { readonly name: string; readonly description: string }[];
  listTools(): string[];
  /** Reads what there is, then follows. */
  open(): Promise<void>;
  /** When it resolves, everything that was written before the call has been told. */
  refresh(): Promise<void>;
  close(): Promise<void>;
}
