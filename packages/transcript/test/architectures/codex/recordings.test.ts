import type { ConversationBlock } from '@robota-sdk/agent-transcript';
import { parseTranscripts } from '@robota-sdk/agent-transcript';
import { parseTranscriptFile } from '@robota-sdk/agent-transcript/architectures';
import { describe, expect, it } from 'vitest';
import { codexTranscriptParser } from '../../../src/architectures/codex/parse-transcript.ts';
import { recordings } from './recordings.ts';

/** The only fork whose parent was archived. */
const ORPHAN = '0.166.0/09-resume-fork/home-6#0';

describe.each(recordings)('the recording $name', ({ name, path, text }) => {
  it('is read without skipped lines or kinds', async () => {
    const { skipped, blocks } = await parseTranscriptFile('codex', path);

    expect(skipped).toEqual({
      lines: 0,
      kinds: name === ORPHAN ? { 'history_base/missing': 1 } : {},
    });
    expect(blocks.length).toBeGreaterThan(0);
  });

  it('has a result for every call, with matching status', async () => {
    const { blocks, subagents } = await parseTranscriptFile('codex', path);

    for (const thread of [blocks, ...subagents.map((each) => each.blocks)]) {
      expect(statuses(thread, 'calls')).toEqual(statuses(thread, 'results'));
    }
  });

  it('has unique ids and the times of the records', async () => {
    const { blocks, subagents } = await parseTranscriptFile('codex', path);

    for (const thread of [blocks, ...subagents.map((each) => each.blocks)]) {
      expect(new Set(thread.map((block) => block.id)).size).toBe(thread.length);
      expect(thread.filter((block) => !block.timestamp.startsWith('2026-11-1'))).toEqual([]);
    }
  });

  it('reads the same every time, from a file and from its text', async () => {
    const first = await parseTranscriptFile('codex', path);
    const second = await parseTranscriptFile('codex', path);

    expect(JSON.stringify(second)).toBe(JSON.stringify(first));
    const own = parseTranscripts('codex', { main: text }).blocks.map((block) => block.id);
    expect(first.blocks.map((block) => block.id).slice(-own.length)).toEqual(own);
  });

  it('gives a prefix of its blocks when later turns are missing', () => {
    const whole = parseTranscripts('codex', { main: text });
    const lines = text.split('\n');
    const turns = lines.flatMap((line, index) => (line.includes('"task_started"') ? [index] : []));

    for (const start of turns) {
      const { blocks } = parseTranscripts('codex', { main: lines.slice(0, start).join('\n') });
      const all = [...whole.blocks, ...whole.superseded.flatMap((branch) => branch.blocks)];
      expect(all.map((block) => block.id)).toEqual(
        expect.arrayContaining(blocks.map((block) => block.id)),
      );
    }
  });

  it('gives the same blocks from its last lines, or requires more lines', () => {
    const lines = text.split('\n');
    const { blocks } = parseTranscripts('codex', { main: text });

    for (let start = 0; start < lines.length; start++) {
      for (const limit of [1, 2, 5]) {
        const tail = codexTranscriptParser.readTail?.(lines.slice(start), limit);
        if (tail !== undefined) expect(tail).toEqual(blocks.slice(-limit));
      }
    }
  });
});

function statuses(blocks: readonly ConversationBlock[], of: 'calls' | 'results'): string[] {
  const found = blocks.flatMap((block) => {
    if (of === 'calls' && block.type === 'tool_use') return [`${block.toolUseId} ${block.status}`];
    if (of === 'results' && block.type === 'tool_result') {
      return [`${block.toolUseId} ${block.isError ? 'error' : 'success'}`];
    }
    return [];
  });
  return found.sort();
}
