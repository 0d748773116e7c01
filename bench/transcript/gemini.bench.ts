import { writeGeminiTranscript } from './gemini-transcript.ts';
import { transcriptRows } from './transcript-rows.ts';

export const rows = transcriptRows({
  type: 'gemini-cli',
  title: 'Gemini transcript',
  fileName: 'session-2026-01-01T00-00-bench.jsonl',
  write: writeGeminiTranscript,
});
