import type { Message } from '@robota-sdk/agent-core';

/** Characters kept of one tool result, and of one call's arguments. */
const TOOL_RESULT_CHARACTERS = 2_000;
const ARGUMENTS_CHARACTERS = 1_000;

export interface CompactionPromptOptions {
  readonly instructions?: string | undefined;
  /** Maximum length of the conversation part; beyond it the middle is left out. */
  readonly maxCharacters: number;
}

/** Builds the request for a summary from which the work can continue. */
export function buildCompactionPrompt(
  messages: readonly Message[],
  { instructions, maxCharacters }: CompactionPromptOptions,
): string {
  const conversation = cut(messages.map(renderMessage).join('\n\n'), maxCharacters);
  return [
    'Summarize the conversation below so that the work can continue from the summary alone. Be concise and keep:',
    '- what the user wants, with every constraint and decision so far',
    '- files read, created or changed, with their paths',
    '- commands that were run and how they ended',
    '- errors met and how they were solved',
    '- what is done, what is in progress and what comes next',
    'Reply with the summary only.',
    ...(instructions ? ['', 'Additional focus:', instructions] : []),
    '',
    'Conversation:',
    conversation,
  ].join('\n');
}

function renderMessage(message: Message): string {
  if (message.role === 'tool') {
    return `tool result (${message.name ?? message.toolCallId}): ${cut(message.content, TOOL_RESULT_CHARACTERS)}`;
  }
  if (message.role !== 'assistant') return `${message.role}: ${message.content}`;
  const calls = (message.toolCalls ?? []).map(
    ({ function: { name, arguments: text } }) =>
      `assistant called ${name}: ${cut(text, ARGUMENTS_CHARACTERS)}`,
  );
  return [...(message.content ? [`assistant: ${message.content}`] : []), ...calls].join('\n');
}

function cut(text: string, maxCharacters: number): string {
  if (text.length <= maxCharacters) return text;
  const side = Math.floor(maxCharacters / 2);
  const left = text.length - 2 * side;
  return `${text.slice(0, side)}\n[... ${left} characters left out ...]\n${text.slice(-side)}`;
}
