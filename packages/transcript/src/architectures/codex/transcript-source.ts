import type { TranscriptSource } from '../read-transcript-file.ts';
import { codexTranscriptParser } from './parse-transcript.ts';
import { codexTranscriptLayout } from './paths.ts';

export const codexTranscriptSource: TranscriptSource = {
  parser: codexTranscriptParser,
  layout: codexTranscriptLayout,
};
