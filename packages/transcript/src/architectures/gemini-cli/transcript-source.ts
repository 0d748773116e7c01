import type { TranscriptSource } from '../read-transcript-file.ts';
import { geminiTranscriptParser } from './parse-transcript.ts';
import { geminiTranscriptLayout } from './paths.ts';

export const geminiTranscriptSource: TranscriptSource = {
  parser: geminiTranscriptParser,
  layout: geminiTranscriptLayout,
};
