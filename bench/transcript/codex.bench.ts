import { writeCodexTranscript } from './codex-transcript.ts';
import { transcriptRows } from './transcript-rows.ts';

export const rows = transcriptRows({
  type: 'codex',
  title: 'Codex rollout',
  fileName: 'rollout-2026-11-15T21-39-12-01a1e126-6565-7fc3-909b-adcb84138417.jsonl',
  write: writeCodexTranscript,
});
