import { hash } from 'node:crypto';
import { createRedactor } from '@robota-sdk/agent-core/log';
import type {
  ConversationBlock,
  ModelRequest,
  ParsedTranscript,
} from '@robota-sdk/agent-transcript';
import { type BlockText, blockText, textOfContent } from './block-text.ts';
import { givenTitle, promptTitle, showLine } from './title.ts';

/** One session as the catalogue stores it. */
export interface IndexedSession {
  readonly title: string;
  readonly name: string | undefined;
  readonly preview: string;
  readonly cwd: string | undefined;
  readonly model: string | undefined;
  readonly branch: string | undefined;
  readonly forkOf: string | undefined;
  /** Milliseconds since 1970; undefined without any timestamp. */
  readonly createdAt: number | undefined;
  readonly updatedAt: number | undefined;
  readonly messages: number;
  readonly threads: readonly ReadThread[];
  readonly requests: readonly ModelRequest[];
}

/** Blocks of one file, in order. */
export interface ReadThread {
  readonly thread: string;
  readonly isSuperseded: boolean;
  readonly blocks: readonly ReadBlock[];
}

interface ReadBlock extends BlockText {
  readonly id: string;
  /** Byte offset of its line in the thread's file; -1 if it has none. */
  readonly offset: number;
}

const redactor = createRedactor();

export function readSession(parsed: ParsedTranscript): IndexedSession {
  const { blocks, metadata } = parsed;
  const first = firstPrompt(blocks);
  const name = givenTitle(metadata.title) ?? givenTitle(metadata.name);
  const times = datesOf(parsed);
  return {
    title: name ?? first?.title ?? '',
    name,
    preview: first === undefined ? '' : showLine(first.text, 160),
    cwd: text(metadata.cwd),
    model: text(metadata.model) && showLine(text(metadata.model) ?? ''),
    branch: text(metadata.gitBranch) && showLine(text(metadata.gitBranch) ?? ''),
    forkOf: text(metadata.forkedFrom),
    createdAt: times.first,
    updatedAt: times.last,
    messages: blocks.filter(({ type }) => type === 'user_message' || type === 'assistant_text')
      .length,
    threads: threadsOf(parsed),
    requests: parsed.requests ?? [],
  };
}

/** Prompts that are tried for a title. */
const TITLE_PROMPTS = 20;

function firstPrompt(blocks: readonly ConversationBlock[]) {
  let prompts = 0;
  for (const block of blocks) {
    if (block.type !== 'user_message') continue;
    const text = textOfContent(block.content);
    const title = promptTitle(text);
    if (title !== '') return { title, text };
    if (++prompts === TITLE_PROMPTS) return undefined;
  }
  return undefined;
}

function threadsOf({ blocks, offsets, subagents, superseded }: ParsedTranscript): ReadThread[] {
  return [
    { thread: 'main', isSuperseded: false, blocks: readBlocks(blocks, offsets) },
    ...subagents.map((agent) => ({
      thread: agent.id,
      isSuperseded: false,
      blocks: readBlocks(agent.blocks, agent.offsets),
    })),
    ...superseded.map((branch) => ({
      thread: branch.conversationId ?? 'main',
      isSuperseded: true,
      blocks: readBlocks(branch.blocks, undefined),
    })),
  ];
}

function readBlocks(
  blocks: readonly ConversationBlock[],
  offsets: readonly number[] | undefined,
): ReadBlock[] {
  return blocks.map((block, index) => {
    // Not spread, which takes several times as long.
    const { column, text } = blockText(block, redactor);
    return { id: block.id, offset: offsets?.[index] ?? -1, column, text };
  });
}

function datesOf({ blocks, requests = [] }: ParsedTranscript) {
  let first: number | undefined;
  let last: number | undefined;
  let seen = '';
  const see = (timestamp: string) => {
    // Lines written together have the same timestamp.
    if (timestamp === seen) return;
    seen = timestamp;
    const time = Date.parse(timestamp);
    if (!(time > 0)) return;
    first = Math.min(first ?? time, time);
    last = Math.max(last ?? time, time);
  };
  for (const { timestamp } of blocks) see(timestamp);
  for (const { at } of requests) see(at);
  return { first, last };
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/**
 * A digest that is equal for equal content. Of each text only the length and the end are hashed, because hashing all of
 * it would take as long as reading the file.
 */
export function digestReading({ threads, requests, ...facts }: IndexedSession): string {
  const pieces = [JSON.stringify(facts)];
  for (const { id, at, usage } of requests) pieces.push(`${id} ${at} ${usage.totalTokens}`);
  for (const { thread, isSuperseded, blocks } of threads) {
    pieces.push(`${thread} ${isSuperseded}`);
    for (const { id, offset, column, text: words } of blocks)
      pieces.push(id, `${offset} ${column} ${words.length}`, words.slice(-DIGEST_CHARACTERS));
  }
  return hash('sha1', pieces.join('\n'));
}

const DIGEST_CHARACTERS = 48;

/** Programs that were only opened leave a file without messages. */
export function isEmptyReading({ messages, threads, requests }: IndexedSession): boolean {
  return (
    messages === 0 &&
    requests.length === 0 &&
    threads.every(({ blocks }) => blocks.every(({ column }) => column !== 'tools'))
  );
}
