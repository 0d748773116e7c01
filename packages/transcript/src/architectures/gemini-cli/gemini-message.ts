import type { MessageContent } from '../../blocks.ts';
import type { TokenUsage } from '../../session-metadata.ts';

/** One message of a Gemini CLI chat, in any of the program's formats. */
export interface GeminiMessage {
  readonly id: string;
  readonly timestamp: string;
  /** `user`, `gemini`, `info`, `warning`, `error`, or an unknown type. */
  readonly type: string;
  /** The user's message as typed; `undefined` if the message contains only program text. */
  readonly userContent: MessageContent | undefined;
  /** The text sent to the model, if files were added to what was typed. */
  readonly sent: string | undefined;
  /** Text by the model or the program. */
  readonly text: string;
  readonly thoughts: readonly Thought[];
  readonly model: string | undefined;
  readonly usage: TokenUsage | undefined;
  readonly calls: readonly ToolCall[];
  readonly responses: readonly ToolResponse[];
  /** The summary of everything before this message, if it starts a compacted chat. */
  readonly snapshot: string | undefined;
}

export interface Thought {
  readonly subject: string;
  readonly description: string;
  readonly timestamp: string | undefined;
}

/** A tool call as requested by the model (`args`) and as recorded by the program (the rest). */
export interface ToolCall {
  readonly id: string;
  readonly name: string;
  readonly args: unknown;
  readonly status: string | undefined;
  readonly timestamp: string | undefined;
  readonly agentId: string | undefined;
  readonly displayName: string | undefined;
  readonly description: string | undefined;
  readonly renderOutputAsMarkdown: boolean | undefined;
  readonly display: unknown;
  readonly response: ToolResponse | undefined;
}

/** A call of which only the request is known. */
export function requestedCall(id: string, name: string, args: unknown): ToolCall {
  return {
    id,
    name,
    args,
    status: undefined,
    timestamp: undefined,
    agentId: undefined,
    displayName: undefined,
    description: undefined,
    renderOutputAsMarkdown: undefined,
    display: undefined,
    response: undefined,
  };
}

/** A tool result as the model gets it. */
export interface ToolResponse {
  /** Empty if the record does not name the call. */
  readonly callId: string;
  readonly name: string;
  readonly output: unknown;
  readonly isError: boolean;
}

/** Called with the name of every unknown record or part. */
export type OnSkipped = (kind: string) => void;
