import type { AgentArchitectureType } from '../architecture-type.ts';
import type { StreamTranslator } from '../stream-translator.ts';
import type { TranscriptParser } from '../transcript-parser.ts';
import { claudeTranscriptParser } from './claude-agent-sdk/parse-transcript.ts';
import { createClaudeStreamTranslator } from './claude-agent-sdk/translate-stream.ts';
import { codexTranscriptParser } from './codex/parse-transcript.ts';
import { createCodexStreamTranslator } from './codex/translate-stream.ts';
import { geminiTranscriptParser } from './gemini-cli/parse-transcript.ts';
import { createGeminiStreamTranslator } from './gemini-cli/translate-stream.ts';
import { robotaTranscriptParser } from './robota/parse-transcript.ts';
import { createRobotaStreamTranslator } from './robota/translate-stream.ts';

/** What can be said about an agent without touching a disk or a process: safe in a browser. */
export interface TranscriptFormat {
  readonly parser: TranscriptParser;
  /** `now` dates what the agent does not date; by default the clock does. */
  createTranslator(now?: () => string): StreamTranslator;
}

export function transcriptFormat(type: AgentArchitectureType): TranscriptFormat {
  const format = FORMATS.get(type);
  if (format === undefined) throw new Error(`There is no agent architecture "${type}"`);
  return format;
}

export function hasTranscriptFormat(name: string): name is AgentArchitectureType {
  return FORMATS.has(name as AgentArchitectureType);
}

/** The register of formats; another agent is another line. */
const FORMATS: ReadonlyMap<AgentArchitectureType, TranscriptFormat> = new Map([
  [
    'claude-agent-sdk',
    { parser: claudeTranscriptParser, createTranslator: createClaudeStreamTranslator },
  ],
  ['codex', { parser: codexTranscriptParser, createTranslator: createCodexStreamTranslator }],
  [
    'gemini-cli',
    { parser: geminiTranscriptParser, createTranslator: createGeminiStreamTranslator },
  ],
  ['robota', { parser: robotaTranscriptParser, createTranslator: createRobotaStreamTranslator }],
]);
