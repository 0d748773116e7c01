import type { AgentArchitectureType } from '../architecture-type.ts';
import { claudeTranscriptLayout } from './claude-agent-sdk/paths.ts';
import { codexTranscriptLayout } from './codex/paths.ts';
import { geminiTranscriptLayout } from './gemini-cli/paths.ts';
import { robotaTranscriptLayout } from './robota/paths.ts';
import type { TranscriptLayout } from './transcript-layout.ts';

export function transcriptLayout(type: AgentArchitectureType): TranscriptLayout {
  const layout = LAYOUTS.get(type);
  if (layout === undefined) throw new Error(`There is no agent architecture "${type}"`);
  return layout;
}

/** The register of layouts on disk (Node); another agent is another line. */
const LAYOUTS: ReadonlyMap<AgentArchitectureType, TranscriptLayout> = new Map([
  ['claude-agent-sdk', claudeTranscriptLayout],
  ['codex', codexTranscriptLayout],
  ['gemini-cli', geminiTranscriptLayout],
  ['robota', robotaTranscriptLayout],
]);
