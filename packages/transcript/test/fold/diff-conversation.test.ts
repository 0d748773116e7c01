import {
  applyStreamEvent,
  type ConversationState,
  diffConversation,
  type ParsedTranscript,
  type SubagentReader,
  type TranscriptReader,
  transcriptFormats,
} from '@robota-sdk/agent-transcript';
import { describe, expect, it } from 'vitest';
import { type AnyRecording, allRecordings, linesOf } from '../architectures/all-recordings.ts';

/** Recordings in which a later line inserts a block between earlier ones, and the number of resyncs. */
const RESTARTS: Readonly<Record<string, number>> = {
  // The history of a fork or revert comes in front of it once its first line is read.
  'codex 0.166.0/09-resume-fork/home-4#1': 1,
  'codex 0.166.0/app-fork/home#1': 1,
  'codex 0.166.0/app-revert/home#1': 1,
  // The call that started an agent is written after the agent's own lines.
  'gemini 25-acp-subagent': 1,
  'gemini 10-subagent': 4,
  'gemini 10-subagent:parallel': 6,
};

describe.each(allRecordings)('$name', (recording) => {
  it('gives events line by line whose fold equals a full reading', () => {
    const reader = readerOf(recording.type);
    let shown: ConversationState = plain(reader.end());
    let restarts = 0;
    const step = () => {
      const now = plain(reader.end());
      const { events, isWhole } = diffConversation(shown, now);
      const folded = events.reduce(applyStreamEvent, shown);
      if (isWhole) expect(sorted(folded)).toEqual(sorted(now));
      else restarts++;
      shown = isWhole ? folded : now;
    };
    for (const feed of stepsOf(recording, reader)) {
      feed();
      step();
    }

    expect(restarts).toBe(RESTARTS[recording.name] ?? 0);
  });
});

/** The lines of all files of a session in the order they were written. */
function stepsOf(recording: AnyRecording, reader: TranscriptReader): (() => void)[] {
  const main = timed(recording.main).map(({ at, line }) => ({ at, feed: () => reader.line(line) }));
  const agents = recording.subagents.flatMap(({ id, transcript, meta }) => {
    let thread: SubagentReader | undefined;
    const lines = timed(transcript ?? '').map(({ at, line }) => ({
      at,
      feed: () => {
        thread ??= reader.subagent(id);
        thread.line(line);
      },
    }));
    const late = meta === undefined ? [] : [{ at: '9', feed: () => thread?.meta?.(meta) }];
    return [...lines, ...late];
  });
  return [...main, ...agents]
    .toSorted((one, other) => (one.at < other.at ? -1 : Number(one.at > other.at)))
    .map(({ feed }) => feed);
}

/** A line without a time was written right after the previous one. */
function timed(text: string): { readonly at: string; readonly line: string }[] {
  let at = '';
  return linesOf(text).map((line) => {
    const written = /"(?:timestamp|lastUpdated)":"([^"]+)"/.exec(line)?.[1] ?? at;
    at = written > at ? written : at;
    return { at, line };
  });
}

function readerOf(type: string): TranscriptReader {
  const format = transcriptFormats().find((one) => one.type === type);
  if (format === undefined) throw new Error(`There is no agent ${type}`);
  return format.parser.start();
}

function plain({ blocks, subagents, superseded, metadata }: ParsedTranscript): ConversationState {
  const { usageByMessage: _table, ...rest } = metadata;
  return { blocks, subagents, superseded, metadata: rest };
}

function sorted({ blocks, subagents, metadata }: ConversationState) {
  const threads = subagents
    .map(({ id, blocks: own }) => ({ id, blocks: own }))
    .toSorted((one, other) => (one.id < other.id ? -1 : 1));
  return { blocks, threads, metadata };
}
