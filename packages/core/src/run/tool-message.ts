import {
  createToolMessage,
  type MessageMetadata,
  type MessagePart,
  type ToolCall,
  type ToolMessage,
} from '../messages/message.ts';
import type { ToolOutcome } from '../tool.ts';

/** Errors are limited like tool output. */
const MAX_ERROR_CHARACTERS = 30_000;
/** Limit for texts in the metadata; the message content has the full error. */
const MAX_METADATA_CHARACTERS = 2_000;

/** The outcome as the model sees it, cut to `maxCharacters`. */
export function toToolMessage(
  call: ToolCall,
  outcome: ToolOutcome,
  facts: { readonly round: number; readonly maxCharacters: number },
): ToolMessage {
  const content = shorten(outcomeText(outcome), facts.maxCharacters);
  const { parts } = outcome;
  return createToolMessage(content, call.id, {
    name: call.function.name,
    ...(parts?.length && { parts: [...textPart(content), ...parts] }),
    metadata: outcomeMetadata(call, outcome, facts.round),
  });
}

function textPart(text: string): readonly MessagePart[] {
  return text.trim() === '' ? [] : [{ type: 'text', text }];
}

/** Keeps both ends of a text, because the end of an output often tells how it went. */
export function shorten(
  text: string,
  maxCharacters: number,
  reason = 'to fit the context window',
): string {
  if (text.length <= maxCharacters) return text;
  const head = Math.ceil(maxCharacters * 0.7);
  const tail = maxCharacters - head;
  const left = text.length - head - tail;
  const note = `\n\n[${left} characters left out here ${reason}]\n\n`;
  return `${text.slice(0, head)}${note}${tail === 0 ? '' : text.slice(-tail)}`;
}

const NO_REASON = 'The tool failed without saying why.';
const TOO_LONG = 'because the error is too long';

function outcomeText({ success, data, error }: ToolOutcome): string {
  const text = dataText(data);
  if (success) return text;
  const why = shorten(String(error ?? NO_REASON), MAX_ERROR_CHARACTERS, TOO_LONG);
  const failure = `Error: ${why}`;
  return text === '' ? failure : `${failure}\n${text}`;
}

function dataText(data: unknown): string {
  if (data === undefined || data === null) return '';
  return typeof data === 'string' ? data : (JSON.stringify(data) ?? '');
}

function outcomeMetadata(call: ToolCall, outcome: ToolOutcome, round: number): MessageMetadata {
  const { requestedTool, availableTools, agentId, durationMs } = outcome.metadata ?? {};
  return {
    round,
    success: outcome.success,
    toolName: call.function.name,
    ...(outcome.error !== undefined && { error: shortenForMetadata(outcome.error) }),
    ...(outcome.errorCode !== undefined && { errorCode: outcome.errorCode }),
    ...(typeof requestedTool === 'string' && { requestedTool: shortenForMetadata(requestedTool) }),
    ...(isListOfNames(availableTools) && { availableTools }),
    ...(typeof agentId === 'string' && { agentId }),
    ...(typeof durationMs === 'number' && { durationMs }),
  };
}

function shortenForMetadata(text: string): string {
  return shorten(text, MAX_METADATA_CHARACTERS, TOO_LONG);
}

function isListOfNames(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((name) => typeof name === 'string');
}
