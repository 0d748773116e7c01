import type { ConversationBlock, SystemBlock, ToolResultBlock } from '../../blocks.ts';
import type { JsonRecord } from '../../json-record.ts';

/** A user, assistant, system or attachment record; the file and the live stream share this format. */
export interface ClaudeRecord {
  readonly uuid: string;
  readonly timestamp: string;
  /** The whole line or live message. */
  readonly source: JsonRecord;
  readonly message: JsonRecord;
}

/** What a record contributes to its conversation. */
export type Piece =
  | { readonly kind: 'block'; readonly block: ConversationBlock }
  /** `structured` is the tool's own result object, in addition to the text for the model. */
  | {
      readonly kind: 'tool_result';
      readonly block: ToolResultBlock;
      readonly structured: unknown;
    }
  | { readonly kind: 'task_report'; readonly block: SystemBlock; readonly report: TaskReport }
  | { readonly kind: 'compaction'; readonly block: SystemBlock; readonly kept: KeptLines }
  /** The summary that replaces everything before a compaction. */
  | { readonly kind: 'compaction_summary'; readonly text: string };

/** Lines before a compaction that are kept: a list, or a range. */
export interface KeptLines {
  readonly uuids: readonly string[];
  readonly head: string | undefined;
  readonly tail: string | undefined;
}

/** The result of a background task. */
export interface TaskReport {
  readonly taskId: string;
  readonly toolUseId?: string;
  readonly status: string;
  readonly summary: string;
  readonly result?: string;
}

/** Called with the kind of a record that could not be turned into a block. */
export type OnSkipped = (kind: string) => void;
