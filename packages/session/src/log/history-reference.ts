import type { FoldedMessage } from './history-fold.ts';

/**
 * Stands in the log for a list of messages: the first `length` of epoch `epoch`, without those in `omit`, with
 * those in `replaced` (and earlier ones named in `variants`) in their other wording, then `extra`.
 */
export interface HistoryReference {
  readonly kind: 'history-reference';
  readonly epoch: number;
  readonly length: number;
  readonly omit?: readonly number[];
  readonly replaced?: Readonly<Record<string, unknown>>;
  readonly variants?: readonly number[];
  readonly extra?: readonly unknown[];
}

/** Other wordings of messages of one epoch, such as an interrupted reply with a note, by position. */
export interface EpochVariants {
  readonly epoch: number;
  readonly byIndex: Map<number, unknown>;
}

export function isHistoryReference(value: unknown): value is HistoryReference {
  return isKind(value, 'history-reference');
}

export function isKind(value: unknown, kind: string): boolean {
  return typeof value === 'object' && value !== null && (value as { kind?: unknown }).kind === kind;
}

/** Names what `list` and the conversation share; undefined when they share nothing. */
export function referTo(
  list: readonly FoldedMessage[],
  canonical: readonly FoldedMessage[],
  variants: EpochVariants,
): HistoryReference | undefined {
  const walk = align(list, canonical);
  if (walk.matched === 0) return undefined;
  const replaced: Record<string, unknown> = {};
  const repeated: number[] = [];
  for (const [index, message] of walk.replaced) {
    if (variants.byIndex.get(index) === message) repeated.push(index);
    else replaced[index] = message;
    variants.byIndex.set(index, message);
  }
  const extra = list.slice(walk.listEnd);
  return {
    kind: 'history-reference',
    epoch: variants.epoch,
    length: walk.canonicalEnd,
    ...(walk.omit.length > 0 && { omit: walk.omit }),
    ...(Object.keys(replaced).length > 0 && { replaced }),
    ...(repeated.length > 0 && { variants: repeated }),
    ...(extra.length > 0 && { extra }),
  };
}

interface Alignment {
  matched: number;
  listEnd: number;
  canonicalEnd: number;
  readonly omit: number[];
  readonly replaced: [number, unknown][];
}

function align(list: readonly FoldedMessage[], canonical: readonly FoldedMessage[]): Alignment {
  const walk: Alignment = { matched: 0, listEnd: 0, canonicalEnd: 0, omit: [], replaced: [] };
  const pending: number[] = [];
  for (let index = 0; index < canonical.length && walk.listEnd < list.length; index++) {
    const [mine, theirs] = [canonical[index], list[walk.listEnd]];
    const size = isStandIn(mine) ? standInBlock(list, canonical, { index, at: walk.listEnd }) : 1;
    if (size === 0 || (size === 1 && !isSameSlot(mine, theirs))) {
      pending.push(index);
      continue;
    }
    if (mine !== theirs && !isStandIn(mine)) walk.replaced.push([index, theirs]);
    walk.omit.push(...pending.splice(0));
    walk.matched += size;
    walk.listEnd += size;
    walk.canonicalEnd = index + size;
    index += size - 1;
  }
  return walk;
}

/** How many stand-ins from `index` on are the messages from `at` on, judged by the last one's id. */
function standInBlock(
  list: readonly FoldedMessage[],
  canonical: readonly FoldedMessage[],
  { index, at }: { readonly index: number; readonly at: number },
): number {
  let size = 0;
  while (isStandIn(canonical[index + size])) size += 1;
  return isSameSlot(canonical[index + size - 1], list[at + size - 1]) ? size : 0;
}

function isSameSlot(mine: FoldedMessage | undefined, theirs: FoldedMessage | undefined): boolean {
  if (mine === theirs) return true;
  return theirs?.id !== undefined && mine?.id === theirs.id;
}

/** A message of a log that was continued without being read again. */
function isStandIn(message: FoldedMessage | undefined): boolean {
  return message?.standIn === true;
}

/** The messages a reference names; `lookUp` answers with an epoch's messages. */
export function resolveReference(
  reference: HistoryReference,
  messages: readonly unknown[],
  variants: ReadonlyMap<number, unknown>,
): unknown[] {
  const { length, omit, extra = [] } = reference;
  const kept = messages.slice(0, length);
  for (const [index, message] of variants) kept[index] = message;
  const skipped = new Set(omit);
  return [...(omit ? kept.filter((_, index) => !skipped.has(index)) : kept), ...extra];
}
