import type { AgentArchitectureType } from '../architecture-type.ts';
import { parseTranscripts } from '../parse-transcripts.ts';
import type { ParsedTranscript, RawTranscripts } from '../parsed-transcript.ts';

/** Port: everything in which one agent program differs from another. Nobody else asks which agent it is. */
export interface AgentArchitectureAdapter {
  parseTranscripts(raw: RawTranscripts): ParsedTranscript;
}

export function getAgentArchitectureAdapter(type: AgentArchitectureType): AgentArchitectureAdapter {
  return { parseTranscripts: (raw) => parseTranscripts(type, raw) };
}
