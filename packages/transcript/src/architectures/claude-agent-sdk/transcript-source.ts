import type { TranscriptSource } from '../read-transcript-file.ts';
import { claudeTranscriptParser } from './parse-transcript.ts';
import { claudeTranscriptLayout } from './paths.ts';

export const claudeTranscriptSource: TranscriptSource = {
  parser: claudeTranscriptParser,
  layout: claudeTranscriptLayout,
};
