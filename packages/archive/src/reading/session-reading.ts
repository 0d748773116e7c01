import { hash } from 'node:crypto';
import { createRedactor } from '@robota-sdk/agent-core/log';
import type {
  ConversationBlock,
  ModelRequest,
  ParsedTranscript,
} from '@robota-sdk/agent-transcript';
import { type BlockText, blockText, textOfContent } from './block-text.ts';
import { givenTitle, promptTitle, showLine } from './title.ts';

/** One session as the catalogue keeps it. */
export interface SessionReading {
  readonly title: string;
  readonly name: string | undefined;
  readonly preview: string;
  readonly cwd: string | undefined;
  readonly model: string | undefined;
  readonly branch: string | undefined;
  readonly forkOf: string | undefined;
  /** Milliseconds since 1970; undefined when nothing in it is dated. */
  readonly createdAt: number | undefined;
  readonly updatedAt: number | undefined;
  readonly messages: number;
  readonly threads: readonly ReadThread[];
  readonly requests: readonly ModelRequest[];
}

/** Blocks that stand in one file, in their order. */
export interface ReadThread {
  readonly thread: string;
  readonly isSuperseded: boolean;
  readonly blocks: readonly ReadBlock[];
}

interface ReadBlock extends BlockText {
  readonly id: string;
  /** Where its line begins in the thread's file; -1 when no line stands for it. */
  readonly offset: number;
}

const redactor = createRedactor();

export function readSession(parsed: ParsedTranscript): SessionReading {
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

/** So many prompts are looked at for one that says something. */
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
  return blocks.map((block, index) => ({
    id: block.id,
    offset: offsets?.[index] ?? -1,
    ...blockText(block, redactor),
  }));
}

function datesOf({ blocks, requests = [] }: ParsedTranscript) {
  let first: number | undefined;
  let last: number | undefined;
  let seen = '';
  const see = (timestamp: string) => {
    // Lines that were written together carry one time.
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
 * The same for the same session, whoever reads it and when. Of each text its length and its end stand for the whole:
 * hashing all of it would take as long as reading the file.
 */
export function digestReading({ threads, requests, ...facts }: SessionReading): string {
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

/** A file without a word in it is left behind by programs that were only opened. */
export function isEmptyReading({ messages, threads, requests }: SessionReading): boolean {
  return (
    messages === 0 &&
    requests.length === 0 &&
    threads.every(({ blocks }) => blocks.every(({ column }) => column !== 'tools'))
  );
}
