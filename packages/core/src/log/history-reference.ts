import type { EntryFields } from './entry.ts';
import type { FoldedMessage } from './history-fold.ts';

/**
 * A message list described by what it shares with the conversation: the first `length` messages, without those at the
 * indexes in `omit`, with those in `replaced` (and those already recorded, at the indexes in `variants`) in changed
 * form, followed by `extra`.
 */
export interface SharedList {
  readonly length: number;
  readonly omit?: readonly number[];
  readonly replaced?: Readonly<Record<string, unknown>>;
  readonly variants?: readonly number[];
  readonly extra?: readonly unknown[];
}

/** Changed forms of messages of one epoch, such as an interrupted reply with a note, by index. */
export type Variants = Map<number, unknown>;

/** Describes `list` by what it shares with the conversation; undefined when they share nothing. */
export function shareList(
  list: readonly FoldedMessage[],
  conversation: readonly FoldedMessage[],
  variants: Variants,
): SharedList | undefined {
  const alignment = align(list, conversation);
  if (alignment.matched === 0) return undefined;
  const replaced: Record<string, unknown> = {};
  const repeated: number[] = [];
  for (const [index, message] of alignment.replaced) {
    if (variants.get(index) === message) repeated.push(index);
    else replaced[index] = message;
    variants.set(index, message);
  }
  const extra = list.slice(alignment.listEnd);
  return {
    length: alignment.conversationEnd,
    ...(alignment.omit.length > 0 && { omit: alignment.omit }),
    ...(Object.keys(replaced).length > 0 && { replaced }),
    ...(repeated.length > 0 && { variants: repeated }),
    ...(extra.length > 0 && { extra }),
  };
}

/**
 * The returned function computes the list on demand. The conversation array only grows within its epoch, so keeping a
 * reference to it is enough.
 */
export function resolveList(
  shared: SharedList,
  conversation: readonly unknown[],
  variants: Variants,
): () => unknown[] {
  for (const [index, message] of Object.entries(shared.replaced ?? {})) {
    variants.set(Number(index), message);
  }
  const changed = [
    ...Object.keys(shared.replaced ?? {}).map(Number),
    ...listOf(shared.variants),
  ].map((index) => [index, variants.get(index)] as const);
  const [omit, extra] = [listOf(shared.omit), listOf(shared.extra)];
  return () => {
    const kept = conversation.slice(0, shared.length);
    for (const [index, message] of changed) if (index in kept) kept[index] = message;
    const omitted = new Set(omit);
    const listed = omitted.size > 0 ? kept.filter((_, index) => !omitted.has(index)) : kept;
    return [...listed, ...extra];
  };
}

/** A damaged line may hold anything in place of a list. */
function listOf<Item>(value: readonly Item[] | undefined): readonly Item[] {
  return Array.isArray(value) ? value : [];
}

/**
 * Defines a field that is computed on first access and cached; enumerable, so that copies and JSON include the value.
 */
export function defineLazy(entry: EntryFields, field: string, compute: () => unknown): void {
  Object.defineProperty(entry, field, {
    enumerable: true,
    configurable: true,
    get() {
      const value = compute();
      Object.defineProperty(entry, field, { value, enumerable: true, configurable: true });
      return value;
    },
  });
}

interface Alignment {
  matched: number;
  listEnd: number;
  conversationEnd: number;
  readonly omit: number[];
  readonly replaced: [number, unknown][];
}

function align(list: readonly FoldedMessage[], conversation: readonly FoldedMessage[]): Alignment {
  const alignment: Alignment = {
    matched: 0,
    listEnd: 0,
    conversationEnd: 0,
    omit: [],
    replaced: [],
  };
  const pending: number[] = [];
  for (let index = 0; index < conversation.length && alignment.listEnd < list.length; index++) {
    const [mine, theirs] = [conversation[index], list[alignment.listEnd]];
    if (!isSameSlot(mine, theirs)) {
      pending.push(index);
      continue;
    }
    if (mine !== theirs) alignment.replaced.push([index, theirs]);
    alignment.omit.push(...pending.splice(0));
    alignment.matched += 1;
    alignment.listEnd += 1;
    alignment.conversationEnd = index + 1;
  }
  return alignment;
}

function isSameSlot(mine: FoldedMessage | undefined, theirs: FoldedMessage | undefined): boolean {
  if (mine === theirs) return true;
  return theirs?.id !== undefined && mine?.id === theirs.id;
}
