import { createHash } from 'node:crypto';
import type { ContentPart } from '../blocks.ts';
import { isRecord } from '../json-record.ts';
import { textOfParts } from './carry-parts.ts';
import type { HandOverCall, HandOverStep, ModelStep } from './steps.ts';

/** The kinds of content counted when two conversations are compared. */
export const FIDELITY_KINDS = [
  'userTexts',
  'assistantTexts',
  'calls',
  'results',
  'errorFlags',
  'images',
  'documents',
  'thinking',
  'summaries',
] as const;

/** A kind of counted content. */
export type FidelityKind = (typeof FIDELITY_KINDS)[number];

/** How much of the source is in the written session, in the same order. */
export interface FidelityCount {
  readonly of: number;
  /** Identical. */
  readonly exact: number;
  /** Identical except for white space and marks the format needs. */
  readonly kept: number;
  /** Not in the source. */
  readonly extra: number;
}

/** Counts of what a hand-over preserved. */
export type Fidelity = Readonly<Record<FidelityKind, FidelityCount>>;

/** Compares the source steps with those parsed from the written session. */
export function compareSteps(
  source: readonly HandOverStep[],
  written: readonly HandOverStep[],
): Fidelity {
  return compareFacts(factsOf(source), factsOf(written));
}

/** As `compareSteps`, for collected facts, so that both conversations need not be in memory at once. */
export function compareFacts(before: ConversationFacts, after: ConversationFacts): Fidelity {
  const count = (kind: FidelityKind): FidelityCount => {
    const kept = inOrder(before.kept[kind], after.kept[kind]);
    const exact = inOrder(before.exact[kind], after.exact[kind]);
    const of = before.kept[kind].length;
    return { of, exact, kept, extra: Math.max(0, after.kept[kind].length - kept) };
  };
  return byKind(count);
}

type FactLists = Readonly<Record<FidelityKind, string[]>>;

/** Fingerprints of everything that is counted, in order. */
export interface ConversationFacts {
  readonly exact: FactLists;
  readonly kept: FactLists;
}

/** Collects the facts of a conversation. */
export function factsOf(steps: readonly HandOverStep[]): ConversationFacts {
  const facts: ConversationFacts = { exact: byKind(() => []), kept: byKind(() => []) };
  for (const step of steps) {
    if (step.role === 'summary') addText(facts, 'summaries', step.text);
    else if (step.role === 'user') {
      addText(facts, 'userTexts', textOfParts(step.parts));
      addMedia(facts, step.parts);
    } else addModelStep(facts, step);
  }
  return facts;
}

function addModelStep(facts: ConversationFacts, { pieces }: ModelStep): void {
  const texts = pieces.flatMap((piece) => (piece.type === 'text' ? [piece.text] : []));
  addText(facts, 'assistantTexts', texts.join('\n\n'));
  for (const piece of pieces) {
    if (piece.type === 'thinking') addText(facts, 'thinking', piece.text);
    if (piece.type === 'call') addCall(facts, piece.call);
  }
}

function addCall(facts: ConversationFacts, { name, input, result }: HandOverCall): void {
  // Agents describe subagents differently, so only the task is compared.
  const isAgent = name === 'Agent' || name === 'Task';
  add(
    facts,
    'calls',
    `${isAgent ? 'Agent' : name}:${JSON.stringify(sorted(isAgent ? input.prompt : input))}`,
  );
  const text = textOfParts(result.parts);
  const plain = result.isError ? normalised(text).replace(/^Error: ?/, '') : normalised(text);
  facts.exact.results.push(digest(text));
  facts.kept.results.push(digest(plain));
  add(facts, 'errorFlags', String(result.isError));
  addMedia(facts, result.parts);
}

function addText(facts: ConversationFacts, kind: FidelityKind, text: string): void {
  const plain = normalised(text);
  if (plain === '') return;
  facts.exact[kind].push(digest(text));
  facts.kept[kind].push(digest(plain));
}

function addMedia(facts: ConversationFacts, parts: readonly ContentPart[]): void {
  for (const part of parts) {
    if (part.type === 'text') continue;
    add(facts, part.type === 'image' ? 'images' : 'documents', part.source.data);
  }
}

function add(facts: ConversationFacts, kind: FidelityKind, value: string): void {
  const hash = digest(value);
  facts.exact[kind].push(hash);
  facts.kept[kind].push(hash);
}

/** Removes the marks that writers add, and collapses white space. */
function normalised(text: string): string {
  return text
    .replaceAll('\u2060', '')
    .replace(/<\/?state_snapshot>/g, '')
    .replace(/\s+/g, ' ')
    .trim();
}

function digest(text: string): string {
  return createHash('sha1').update(text).digest('base64').slice(0, 16);
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isRecord(value)) return value;
  const keys = Object.keys(value).sort();
  return Object.fromEntries(keys.map((key) => [key, sorted(value[key])]));
}

function byKind<Value>(make: (kind: FidelityKind) => Value): Record<FidelityKind, Value> {
  const entries = FIDELITY_KINDS.map((kind) => [kind, make(kind)] as const);
  // The entries above cover every kind.
  return Object.fromEntries(entries) as Record<FidelityKind, Value>;
}

/** The number of `wanted` found in `found` in the same order: the longest common subsequence. */
function inOrder(wanted: readonly string[], found: readonly string[]): number {
  let start = 0;
  while (start < wanted.length && start < found.length && wanted[start] === found[start]) start++;
  let end = 0;
  const most = Math.min(wanted.length, found.length) - start;
  while (end < most && wanted[wanted.length - 1 - end] === found[found.length - 1 - end]) end++;
  const left = wanted.slice(start, wanted.length - end);
  const right = found.slice(start, found.length - end);
  if (left.length === 0 || right.length === 0) return start + end;
  const isSmall = left.length * right.length <= MAX_COMPARISONS;
  return start + end + (isSmall ? longestCommon(left, right) : greedyCommon(left, right));
}

/** Beyond this many comparisons, a lower bound is computed in one pass. */
const MAX_COMPARISONS = 25_000_000;

function longestCommon(left: readonly string[], right: readonly string[]): number {
  let before = new Uint32Array(right.length + 1);
  for (const wanted of left) {
    const row = new Uint32Array(right.length + 1);
    for (let at = 1; at <= right.length; at++) {
      row[at] =
        wanted === right[at - 1]
          ? (before[at - 1] ?? 0) + 1
          : Math.max(before[at] ?? 0, row[at - 1] ?? 0);
    }
    before = row;
  }
  return before[right.length] ?? 0;
}

function greedyCommon(left: readonly string[], right: readonly string[]): number {
  const places = new Map<string, number[]>();
  for (const [place, value] of right.entries()) {
    const known = places.get(value);
    if (known) known.push(place);
    else places.set(value, [place]);
  }
  let [last, count] = [-1, 0];
  for (const value of left) {
    const next = places.get(value)?.find((place) => place > last);
    if (next === undefined) continue;
    last = next;
    count++;
  }
  return count;
}
