import {
  applyStreamEvent,
  type ConversationBlock,
  type ConversationState,
  createStreamTranslator,
  EMPTY_CONVERSATION,
  parseTranscripts,
  type SubagentBlock,
} from '@robota-sdk/agent-transcript';
import { describe, expect, it } from 'vitest';
import { recordings } from './recordings.ts';

const UNDATED = '2000-01-01T00:00:00.000Z';

/**
 * What may differ, because Claude Code does not stream it:
 * 1. the user's prompts (unless --replay-user-messages is set), the command lines of `/…`, and hook notices;
 * 2. text and thinking of foreground subagents (unless --forward-subagent-text), and agents below the first level;
 * 3. blocks of earlier processes of a resumed session;
 * 4. times: versions before 2.1 have none, later ones have none for retries, compactions, notices and reports.
 * 5. in 1.0 the prompts of subagents and the tools' own result objects, so that a subagent has no duration.
 * Our recordings add a sixth: long texts are elided in one place and not in the other.
 */
describe.each(recordings.filter(({ live }) => live.length > 0))('$name', ({ name, raw, live }) => {
  const isOldest = name.startsWith('1.0.');
  const parsed = parseTranscripts('claude-agent-sdk', raw);
  const state = foldLive(live);

  it('shows live nothing that a reload would not show, in the same order', () => {
    const shown = state.blocks.map((block) => block.id);
    const reloaded = parsed.blocks.map((block) => block.id).filter((id) => shown.includes(id));

    expect(shown).toEqual(reloaded);
  });

  it('shows live the same blocks as after a reload', () => {
    expectEqualBlocks(state.blocks, parsed.blocks);
  });

  it('leaves out only what is not streamed', () => {
    const shown = new Set(state.blocks.map((block) => block.id));
    const isResumed = parsed.blocks.length > 0 && !isFirstStep(parsed.blocks, shown);
    const missing = parsed.blocks.filter((block) => !shown.has(block.id));

    expect(isResumed ? [] : missing.filter((block) => !isUnstreamed(block))).toEqual([]);
  });

  it('gives subagents the same threads, but for the text that is not forwarded', () => {
    for (const thread of state.subagents) {
      const reloaded = parsed.subagents.find(({ id }) => id === thread.id)?.blocks ?? [];
      expectEqualBlocks(thread.blocks, reloaded);
      const shown = new Set(thread.blocks.map((block) => block.id));
      const missing = reloaded.filter((block) => !shown.has(block.id)).map(({ type }) => type);
      const unstreamed = ['assistant_text', 'thinking', ...(isOldest ? ['user_message'] : [])];
      expect(missing.filter((type) => !unstreamed.includes(type))).toEqual([]);
    }
    expect(state.subagents.map(({ id }) => id)).toEqual(parsed.subagents.map(({ id }) => id));
  });
});

function foldLive(live: readonly unknown[]): ConversationState {
  const translator = createStreamTranslator('claude-agent-sdk', () => UNDATED);
  const events = live.flatMap((event) => translator.translate(event));
  return [...events, ...translator.end()].reduce(applyStreamEvent, EMPTY_CONVERSATION);
}

function expectEqualBlocks(
  live: readonly ConversationBlock[],
  reloaded: readonly ConversationBlock[],
): void {
  const byId = new Map(reloaded.map((block) => [block.id, block]));
  const counterparts = live.map((block) => {
    const counterpart = byId.get(block.id);
    const timestamp = block.timestamp === UNDATED ? UNDATED : counterpart?.timestamp;
    if (counterpart === undefined) return undefined;
    const { durationMs, ...rest } = counterpart as SubagentBlock;
    const isUntimed = block.type === 'subagent' && block.durationMs === undefined;
    const known = isUntimed || durationMs === undefined ? rest : { ...rest, durationMs };
    return withoutSummary({ ...known, timestamp: timestamp ?? '' });
  });
  expect(live.map(withoutSummary)).toEqual(counterparts);
}

function withoutSummary(block: ConversationBlock): ConversationBlock {
  const compaction = block.metadata?.compaction;
  if (compaction === undefined) return block;
  // The blocks a compaction keeps are from before the resumed process, so its stream cannot name them.
  const { keptBlockIds: _kept, ...known } = compaction as Readonly<Record<string, unknown>>;
  return { ...block, metadata: { ...block.metadata, compaction: { ...known, summary: 'elided' } } };
}

function isUnstreamed(block: ConversationBlock): boolean {
  return block.type === 'user_message' || block.metadata?.command !== undefined;
}

/** In the first step of a session all model output was streamed. */
function isFirstStep(blocks: readonly ConversationBlock[], shown: ReadonlySet<string>): boolean {
  const first = blocks.find((block) => block.type !== 'user_message');
  return first === undefined || shown.has(first.id);
}
