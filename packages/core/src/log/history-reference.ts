import type { EntryFields } from './entry.ts';
import type { FoldedMessage } from './history-fold.ts';

/**
 * A list of messages named by what it shares with the conversation: the first `length` messages, without those
 * in `omit`, with those in `replaced` (and earlier ones named in `variants`) in their other wording, then `extra`.
 */
export interface SharedList {
  readonly length: number;
  readonly omit?: readonly number[];
  readonly replaced?: Readonly<Record<string, unknown>>;
  readonly variants?: readonly number[];
  readonly extra?: readonly unknown[];
}

/** Other wordings of messages of one epoch, such as an interrupted reply with a note, by position. */
export type Variants = Map<number, unknown>;

/** Names what `list` and the conversation share; undefined when they share nothing. */
export function shareList(
  list: readonly FoldedMessage[],
  conversation: readonly FoldedMessage[],
  variants: Variants,
): SharedList | undefined {
  const walk = align(list, conversation);
  if (walk.matched === 0) return undefined;
  const replaced: Record<string, unknown> = {};
  const repeated: number[] = [];
  for (const [index, message] of walk.replaced) {
    if (variants.get(index) === message) repeated.push(index);
    else replaced[index] = message;
    variants.set(index, message);
  }
  const extra = list.slice(walk.listEnd);
  return {
    length: walk.conversationEnd,
    ...(walk.omit.length > 0 && { omit: walk.omit }),
    ...(Object.keys(replaced).length > 0 && { replaced }),
    ...(repeated.length > 0 && { variants: repeated }),
    ...(extra.length > 0 && { extra }),
  };
}

/**
 * Computes the list when it is called, from the conversation as it is now: the array only grows while its epoch
 * lasts, so holding it is enough.
 */
export function resolveList(
  shared: SharedList,
  conversation: readonly unknown[],
  variants: Variants,
): () => unknown[] {
  for (const [index, message] of Object.entries(shared.replaced ?? {})) {
    variants.set(Number(index), message);
  }
  const wordings = [
    ...Object.keys(shared.replaced ?? {}).map(Number),
    ...(shared.variants ?? []),
  ].map((index) => [index, variants.get(index)] as const);
  return () => {
    const kept = conversation.slice(0, shared.length);
    for (const [index, message] of wordings) kept[index] = message;
    const left = new Set(shared.omit);
    const listed = left.size > 0 ? kept.filter((_, index) => !left.has(index)) : kept;
    return [...listed, ...(shared.extra ?? [])];
  };
}

/** Computed at the first look and kept; enumerable, so that copies and JSON hold the value itself. */
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
  const walk: Alignment = { matched: 0, listEnd: 0, conversationEnd: 0, omit: [], replaced: [] };
  const pending: number[] = [];
  for (let index = 0; index < conversation.length && walk.listEnd < list.length; index++) {
    const [mine, theirs] = [conversation[index], list[walk.listEnd]];
    if (!isSameSlot(mine, theirs)) {
      pending.push(index);
      continue;
    }
    if (mine !== theirs) walk.replaced.push([index, theirs]);
    walk.omit.push(...pending.splice(0));
    walk.matched += 1;
    walk.listEnd += 1;
    walk.conversationEnd = index + 1;
  }
  return walk;
}

function isSameSlot(mine: FoldedMessage | undefined, theirs: FoldedMessage | undefined): boolean {
  if (mine === theirs) return true;
  return theirs?.id !== undefined && mine?.id === theirs.id;
}
