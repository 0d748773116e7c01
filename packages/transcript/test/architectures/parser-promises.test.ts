import { readFileSync } from 'node:fs';
import {
  type ConversationBlock,
  parseTranscripts,
  sumUsage,
  transcriptFormats,
} from '@robota-sdk/agent-transcript';
import { parseTranscriptFile } from '@robota-sdk/agent-transcript/architectures';
import { describe, expect, it } from 'vitest';
import { unnamedIn } from '../sound-ids.ts';
import { allRecordings, linesOf } from './all-recordings.ts';

describe.each(allRecordings)('$name', ({ type, path, main, subagents }) => {
  it('gives the same result at every line, however often end was called before', () => {
    const parser = transcriptFormats().find((format) => format.type === type)?.parser;
    const asked = parser?.start();
    for (const { id, transcript, meta } of subagents) {
      const thread = asked?.subagent(id, meta);
      for (const line of linesOf(transcript ?? '')) thread?.line(line);
    }
    const lines = linesOf(main);
    const differing = lines.flatMap((line, index) => {
      asked?.line(line);
      const first = JSON.stringify(asked?.end());
      const again = JSON.stringify(asked?.end());
      const fresh = parser?.start();
      for (const { id, transcript, meta } of subagents) {
        const thread = fresh?.subagent(id, meta);
        for (const other of linesOf(transcript ?? '')) thread?.line(other);
      }
      for (const earlier of lines.slice(0, index + 1)) fresh?.line(earlier);
      const whole = JSON.stringify(fresh?.end());
      return first === again && first === whole ? [] : [index];
    });

    expect(differing).toEqual([]);
  });

  it('knows the line of every block', async () => {
    const parsed = await parseTranscriptFile(type, path);
    const bytes = readFileSync(path);

    expect(parsed.offsets).toHaveLength(parsed.blocks.length);
    for (const [index, block] of parsed.blocks.entries()) {
      const offset = parsed.offsets?.[index] ?? -1;
      if (offset < 0) continue;
      const end = bytes.indexOf(0x0a, offset);
      const line = bytes.toString('utf8', offset, end === -1 ? undefined : end);
      expect(offset === 0 || bytes[offset - 1] === 0x0a).toBe(true);
      expect(type === 'gemini-cli' && path.endsWith('.json') ? main : line).toContain(
        JSON.stringify(wordOf(block)).slice(1, -1),
      );
    }
    for (const thread of parsed.subagents) {
      expect(thread.offsets).toHaveLength(thread.blocks.length);
    }
  });

  it('gives every block, thread and call an id, and its requests add up to its usage', () => {
    const parsed = parseTranscripts(type, { main, subagents });
    const paid = (parsed.requests ?? []).filter(
      ({ isCopy, id }) => isCopy !== true && !id.startsWith('cost-state:'),
    );

    expect(unnamedIn(parsed)).toEqual([]);
    expect(new Set(parsed.requests?.map(({ id }) => id)).size).toBe(parsed.requests?.length);
    if (paid.length > 0 && parsed.metadata.usageByMessage !== undefined) {
      expect(parsed.metadata.usage).toEqual(sumUsage(paid.map(({ usage }) => usage)));
    }
  });
});

/** A text of the block that is in its line unchanged; some agents trim white space at the ends. */
function wordOf(block: ConversationBlock): string {
  switch (block.type) {
    case 'assistant_text':
    case 'thinking':
      return block.content.trim().split('\n')[0] ?? '';
    case 'user_message':
      return typeof block.content === 'string' ? (block.content.trim().split('\n')[0] ?? '') : '';
    case 'tool_use':
    case 'tool_result':
      return block.toolUseId.startsWith('exec-') || /^(?:at|line):/.test(block.toolUseId)
        ? ''
        : block.toolUseId;
    default:
      return '';
  }
}
