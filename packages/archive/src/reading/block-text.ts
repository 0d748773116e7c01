import type { Redactor } from '@robota-sdk/agent-core/log';
import type { ConversationBlock, MessageContent } from '@robota-sdk/agent-transcript';

/** The redacted text of a block, and whether a tool wrote it. */
export interface BlockText {
  readonly column: 'said' | 'tools';
  readonly text: string;
}

/** Characters of one block that are indexed; longer blocks are usually printed files. */
const MAX_TEXT_LENGTH = 1 << 20;

export function blockText(block: ConversationBlock, redactor: Redactor): BlockText {
  const column = TOOL_BLOCKS.has(block.type) ? 'tools' : 'said';
  const pieces: string[] = [];
  collectWords(wordsOf(block, redactor), pieces);
  const text = pieces.join('\n').slice(0, MAX_TEXT_LENGTH);
  return { column, text: redactor.redactText(text) };
}

const TOOL_BLOCKS: ReadonlySet<string> = new Set(['tool_use', 'tool_result', 'subagent']);

function wordsOf(block: ConversationBlock, redactor: Redactor): unknown {
  switch (block.type) {
    case 'user_message':
      return textOfContent(block.content);
    case 'assistant_text':
      return block.content;
    case 'thinking':
      return block.content === '' ? block.summary : block.content;
    case 'tool_use':
      // Redacted before flattening, because secrets are recognised by their keys.
      return [block.toolName, redactor.redactValue(block.input)];
    case 'tool_result':
      return typeof block.output === 'string' ? block.output : redactor.redactValue(block.output);
    case 'system':
      return block.message;
    case 'subagent':
      return [block.name, block.input, block.output];
    default:
      return block satisfies never;
  }
}

export function textOfContent(content: MessageContent): string {
  if (typeof content === 'string') return content;
  return content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
}

/** Collects every text in a value, without keys and encoded bytes. */
function collectWords(value: unknown, pieces: string[], depth = 0): void {
  if (typeof value === 'string') {
    if (value !== '' && !isBytes(value)) pieces.push(value);
  } else if (typeof value === 'number' || typeof value === 'boolean') {
    pieces.push(String(value));
  } else if (typeof value === 'object' && value !== null && depth < MAX_DEPTH) {
    for (const inner of Object.values(value)) collectWords(inner, pieces, depth + 1);
  }
}

const MAX_DEPTH = 64;

/** An image in base64 is long and has no spaces. */
function isBytes(text: string): boolean {
  return text.length > 2000 && /^[A-Za-z0-9+/_=-]+$/.test(text.slice(0, 2000));
}
