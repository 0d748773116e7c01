import type { MessageContent } from '../../blocks.ts';
import type { TokenUsage } from '../../session-metadata.ts';

/** One message of a Gemini CLI chat, whichever of the program's ways of writing it was used. */
export interface GeminiMessage {
  readonly id: string;
  readonly timestamp: string;
  /** `user`, `gemini`, `info`, `warning`, `error`, or a kind we do not know. */
  readonly type: string;
  /** What a person said, as it was typed; `undefined` when the message holds only what programs say. */
  readonly said: MessageContent | undefined;
  /** The text the model was sent for it, where files were added to what was typed. */
  readonly sent: string | undefined;
  /** What the model or the program said. */
  readonly text: string;
  readonly thoughts: readonly Thought[];
  readonly model: string | undefined;
  readonly usage: TokenUsage | undefined;
  readonly calls: readonly ToolCall[];
  readonly responses: readonly ToolResponse[];
  /** The text that stands for everything before it, when this message is the start of a compacted chat. */
  readonly snapshot: string | undefined;
}

export interface Thought {
  readonly subject: string;
  readonly description: string;
  readonly timestamp: string | undefined;
}

/** A tool call as the model asked for it (`args`) and as the program recorded it (the rest). */
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

/** What a tool answered, as the model reads it. */
export interface ToolResponse {
  /** Empty when the record names no call. */
  readonly callId: string;
  readonly name: string;
  readonly output: unknown;
  readonly isError: boolean;
}

/** Receives the name of every kind of record or part that we do not know. */
export type OnSkipped = (kind: string) => void;
