import type { ConversationBlock, SystemBlock, ToolResultBlock } from '../../blocks.ts';
import type { JsonRecord } from '../../json-record.ts';

/** One user, assistant, system or attachment record; the file and the live stream have the same ones. */
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
  /** `structured` is the tool's own result object beside the text the model saw. */
  | {
      readonly kind: 'tool_result';
      readonly block: ToolResultBlock;
      readonly structured: unknown;
    }
  | { readonly kind: 'task_report'; readonly block: SystemBlock; readonly report: TaskReport }
  | { readonly kind: 'compaction'; readonly block: SystemBlock; readonly kept: KeptLines }
  /** The text that stands for everything before a compaction. */
  | { readonly kind: 'compaction_summary'; readonly text: string };

/** Lines before a compaction that are kept as they are: listed, or from one to another. */
export interface KeptLines {
  readonly uuids: readonly string[];
  readonly head: string | undefined;
  readonly tail: string | undefined;
}

/** The end of something that ran in the background. */
export interface TaskReport {
  readonly taskId: string;
  readonly toolUseId?: string;
  readonly status: string;
  readonly summary: string;
  readonly result?: string;
}

/** Told what could not be turned into a block, by kind. */
export type OnSkipped = (kind: string) => void;
