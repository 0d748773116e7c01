import {
  applyStreamEvent,
  type ConversationBlock,
  type ConversationState,
  createStreamTranslator,
  EMPTY_CONVERSATION,
  reconcileBlocks,
} from '@robota-sdk/agent-transcript';
import { parseTranscriptFile } from '@robota-sdk/agent-transcript/architectures';
import { describe, expect, it } from 'vitest';
import { type LiveRecording, liveRecordings, type Recording, recordings } from './recordings.ts';

/**
 * What may differ between live and reloaded blocks, because Codex does not report it both times:
 * 1. a command's result: live its output, on disk the text for the model, with a header; an input live is the
 *    command as run, on disk the model's arguments, and the tool's own name is only on disk; a patch inside a shell
 *    command is a separate patch live;
 * 2. calls that never ran (unknown tools, bad arguments, refusals) and scripts of code mode are only on disk; so is
 *    the answer of a call that an interruption cut off, which over `exec --json` stays open live; 0.47 forgets
 *    such a call altogether;
 * 3. the order of parallel calls and their results;
 * 4. times, the model of each text, the summary of a compaction, the names and tasks of agents;
 * 5. `exec --json`: prompts, compactions, interruptions and agents' threads are only on disk; retries and
 *    warnings are only live; 0.98 mixes messages of its agents into the conversation;
 * 6. before 0.148 prompts and compactions have no id on disk, and failed turns leave no trace there;
 * 7. `thread/reverted` does not list the reverted turns: the metadata then requests a reload, and the cost of the
 *    reverted turns is counted only on disk;
 * 8. blocks of earlier processes of a resumed or forked session.
 */
const cases = liveRecordings.flatMap((live) => {
  const saved = recordingOf(live);
  return saved === undefined ? [] : [{ name: live.name, live, saved }];
});

describe.each(cases)('$name', ({ name, live, saved }) => {
  it('shows live what a reload shows, except for the listed differences', async () => {
    const parsed = await parseTranscriptFile('codex', saved.path);
    const state = foldLive(live.events);
    const ids = reconcileBlocks(state.blocks, parsed.blocks);

    const pairs = state.blocks.flatMap((block) => {
      const other = parsed.blocks.find(({ id }) => id === ids.get(block.id));
      return other === undefined ? [] : [[gist(block), gist(other)] as const];
    });
    const onlyLive = state.blocks.filter((block) => !ids.has(block.id));

    expect(pairs.map(([shown]) => shown)).toEqual(pairs.map(([, reloaded]) => reloaded));
    expect(onlyLive.filter((block) => !isOnlyLive(block, name))).toEqual([]);
  });

  it('leaves out live only what is listed', async () => {
    const parsed = await parseTranscriptFile('codex', saved.path);
    const state = foldLive(live.events);
    const shown = new Set(reconcileBlocks(state.blocks, parsed.blocks).values());

    const missing = parsed.blocks.filter((block) => !shown.has(block.id));

    expect(isResumed(name) ? [] : missing.filter((block) => !isOnlySaved(block, live))).toEqual([]);
  });

  it('has the ids of the rollout where the app-server reports them', async () => {
    const parsed = await parseTranscriptFile('codex', saved.path);
    const state = foldLive(live.events);
    const known = new Set(parsed.blocks.map((block) => block.id));

    const foreign = state.blocks.filter((block) => live.isAppServer && !known.has(block.id));

    const isLegacy = name.startsWith('0.142');
    const mayDiffer = (block: ConversationBlock) =>
      isLegacy && (block.type === 'user_message' || block.type === 'system');
    expect(name.includes('revert') ? [] : foreign.filter((block) => !mayDiffer(block))).toEqual([]);
  });

  it('gives agents the same threads over the app-server', async () => {
    const parsed = await parseTranscriptFile('codex', saved.path);
    const state = foldLive(live.events);

    const wanted = live.isAppServer ? parsed.subagents : [];
    expect(state.subagents.map(({ id }) => id)).toEqual(wanted.map(({ id }) => id));
    for (const [index, thread] of state.subagents.entries()) {
      const reloaded = wanted[index]?.blocks ?? [];
      expect(thread.blocks[0]?.id).toBe(reloaded[0]?.id);
      expect(thread.blocks.at(-1)?.id).toBe(reloaded.at(-1)?.id);
    }
  });
});

describe('usage', () => {
  it('is the same live and reloaded over the app-server', async () => {
    for (const { live, saved } of cases) {
      if (!live.isAppServer || /fork|revert/.test(live.name)) continue;
      const { metadata } = await parseTranscriptFile('codex', saved.path);
      expect([live.name, foldLive(live.events).metadata.usage]).toEqual([
        live.name,
        metadata.usage,
      ]);
    }
  });
});

function recordingOf(live: LiveRecording): Recording | undefined {
  const scenario = live.name.replace(/\/[^/]*$/, '/');
  const inScenario = recordings.filter(({ name }) => name.startsWith(scenario));
  const legacy = inScenario.length === 1 ? inScenario[0] : undefined;
  if (live.threadId === undefined) return legacy;
  return inScenario.findLast(({ threadId }) => threadId === live.threadId);
}

function foldLive(events: readonly unknown[]): ConversationState {
  const translator = createStreamTranslator('codex', () => '2000-01-01T00:00:00.000Z');
  const all = [...events.flatMap((event) => translator.translate(event)), ...translator.end()];
  return all.reduce(applyStreamEvent, EMPTY_CONVERSATION);
}

/** A block without fields that may differ. */
function gist(block: ConversationBlock): unknown {
  switch (block.type) {
    case 'tool_use':
      return [block.type, block.status === 'pending' ? 'error' : block.status];
    case 'tool_result':
      return [block.type, block.isError];
    case 'subagent':
      return [block.type, block.subagentId, block.status, block.output];
    case 'system':
      return [block.type, block.subtype, block.message];
    default:
      return [block.type, block.content];
  }
}

function isOnlyLive(block: ConversationBlock, name: string): boolean {
  const isMixed = name.startsWith('0.98.0/spawn') || name.includes('revert');
  const isPatch = name === SHELL_PATCH && block.type.startsWith('tool_');
  const isForgotten = name === '0.47.0/interrupt/stdout';
  return block.type === 'system' || isMixed || isPatch || isForgotten;
}

/** Here the model writes its patch as a shell command. */
const SHELL_PATCH = '0.142.0/patch/stdout';

function isOnlySaved(block: ConversationBlock, live: LiveRecording): boolean {
  if (live.name === SHELL_PATCH && block.type === 'tool_use') return true;
  if (block.type === 'tool_use') return block.status === 'error' || isUntold(block.toolName);
  if (block.type === 'tool_result') return block.isError || isUntold(block.toolUseId);
  return !live.isAppServer && (block.type === 'user_message' || block.type === 'system');
}

/** Plans, and scripts of code mode. */
function isUntold(nameOrId: string): boolean {
  return /^(?:update_plan|exec)$|^call_/.test(nameOrId);
}

function isResumed(name: string): boolean {
  return /resume|fork/.test(name);
}
