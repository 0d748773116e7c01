import { forEachLine } from './line-splitter.ts';
import type { ParsedTranscript, RawTranscripts } from './parsed-transcript.ts';
import type { TranscriptParser } from './transcript-parser.ts';

/** Feeds the transcripts of a session to a parser, line by line. */
export function readTranscripts(parser: TranscriptParser, raw: RawTranscripts): ParsedTranscript {
  const reader = parser.start();
  forEachLine(raw.main ?? '', (line, offset) => reader.line(line, offset));
  for (const { id, transcript, meta } of raw.subagents ?? []) {
    const thread = reader.subagent(id, meta);
    forEachLine(transcript ?? '', (line, offset) => thread.line(line, offset));
  }
  return reader.end();
}
