import type { ConversationBlock } from './blocks.ts';

/**
 * Maps blocks seen live, under ids the agent's transcript does not contain, to the blocks of the transcript. A
 * live block without a counterpart is not in the map; no two live blocks map to the same id. Live blocks are the
 * end of the transcript, so among equal blocks the last ones are chosen.
 */
export function reconcileBlocks(
  live: readonly ConversationBlock[],
  parsed: readonly ConversationBlock[],
): ReadonlyMap<string, string> {
  const ids = new Map<string, string>();
  const unmatched = new Set(parsed.toReversed());
  const byId = new Map(parsed.map((block) => [block.id, block]));
  for (const { id } of live) {
    const same = byId.get(id);
    if (same !== undefined) pair(id, same);
  }
  const latestFirst = live.toReversed();
  for (const isSame of COMPARISONS) {
    for (const block of latestFirst) {
      if (ids.has(block.id)) continue;
      const match = findMatch(block, isSame);
      if (match !== undefined) pair(block.id, match);
    }
  }
  return inOrderOf(live, ids);

  function pair(id: string, match: ConversationBlock): void {
    ids.set(id, match.id);
    unmatched.delete(match);
  }

  function findMatch(block: ConversationBlock, isSame: Comparison): ConversationBlock | undefined {
    for (const candidate of unmatched) {
      if (candidate.type === block.type && isSame(block, candidate, ids)) return candidate;
    }
    return undefined;
  }
}

function inOrderOf(
  live: readonly ConversationBlock[],
  ids: ReadonlyMap<string, string>,
): ReadonlyMap<string, string> {
  return new Map(
    live.flatMap(({ id }) => {
      const found = ids.get(id);
      return found === undefined ? [] : [[id, found] as const];
    }),
  );
}

/** Whether two blocks of one type are the same; `ids` holds the pairs found so far. */
type Comparison = (
  live: ConversationBlock,
  parsed: ConversationBlock,
  ids: ReadonlyMap<string, string>,
) => boolean;

/** From the strictest comparison to the loosest; within one, the order of the blocks decides. */
const COMPARISONS: readonly Comparison[] = [isEqual, isSimilar, isSameKind, isResultOfSame];

function isEqual(live: ConversationBlock, parsed: ConversationBlock): boolean {
  if (live.type === 'tool_use' && parsed.type === 'tool_use') {
    return live.toolName === parsed.toolName && isSameJson(live.input, parsed.input);
  }
  if (live.type === 'subagent' && parsed.type === 'subagent') {
    return live.subagentId === parsed.subagentId;
  }
  const text = textOf(live);
  return text !== undefined && text === textOf(parsed);
}

/** Agents use different input field names live and on disk, but share some string value. */
function isSimilar(live: ConversationBlock, parsed: ConversationBlock): boolean {
  if (live.type === 'tool_use' && parsed.type === 'tool_use') {
    const strings = new Set(stringsIn(live.input));
    return stringsIn(parsed.input).some((text) => strings.has(text));
  }
  if (live.type === 'subagent' && parsed.type === 'subagent') return live.input === parsed.input;
  return false;
}

/** The same tool with the same outcome. */
function isSameKind(live: ConversationBlock, parsed: ConversationBlock): boolean {
  if (live.type !== 'tool_use' || parsed.type !== 'tool_use') return false;
  return live.toolName === parsed.toolName && live.status === parsed.status;
}

function isResultOfSame(
  live: ConversationBlock,
  parsed: ConversationBlock,
  ids: ReadonlyMap<string, string>,
): boolean {
  if (live.type !== 'tool_result' || parsed.type !== 'tool_result') return false;
  return (ids.get(live.toolUseId) ?? live.toolUseId) === parsed.toolUseId;
}

/** The text of a block without the white space that some agents trim. */
function textOf(block: ConversationBlock): string | undefined {
  switch (block.type) {
    case 'assistant_text':
    case 'thinking':
      return block.content.trim();
    case 'user_message':
      return typeof block.content === 'string'
        ? block.content.trim()
        : JSON.stringify(block.content);
    case 'system':
      return `${block.subtype} ${block.message.trim()}`;
    default:
      return undefined;
  }
}

function isSameJson(left: unknown, right: unknown): boolean {
  return JSON.stringify(left) === JSON.stringify(right);
}

/** The strings of an input one level deep, except those too short to identify it. */
function stringsIn(input: Readonly<Record<string, unknown>>): string[] {
  return Object.values(input)
    .flatMap((value) => (Array.isArray(value) ? (value as unknown[]) : [value]))
    .filter((value) => typeof value === 'string')
    .filter((text) => text.length > 1);
}
