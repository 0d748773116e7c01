import type { AgentArchitectureType } from './architecture-type.ts';
import { transcriptFormat } from './architectures/formats.ts';
import type { ParsedTranscript, RawTranscripts } from './parsed-transcript.ts';
import { readTranscripts } from './read-transcripts.ts';
import type { StreamTranslator } from './stream-translator.ts';

/** Reads the native transcripts of a session, main thread and subagents, into blocks. */
export function parseTranscripts(
  type: AgentArchitectureType,
  raw: RawTranscripts,
): ParsedTranscript {
  return readTranscripts(transcriptFormat(type).parser, raw);
}

/** Turns the agent's live output into stream events; `now` supplies timestamps the agent leaves out. */
export function createStreamTranslator(
  type: AgentArchitectureType,
  now?: () => string,
): StreamTranslator {
  return transcriptFormat(type).createTranslator(now);
}
