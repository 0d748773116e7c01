import type { AgentArchitectureType } from '../architecture-type.ts';
import type { StreamTranslator } from '../stream-translator.ts';
import type { TranscriptParser } from '../transcript-parser.ts';
import { type AcpAgent, KNOWN_ACP_AGENTS } from './acp/known-agents.ts';
import { acpTranscriptParser } from './acp/parse-transcript.ts';
import { createAcpStreamTranslator } from './acp/translate-stream.ts';
import { type AgentTraits, acpTraits, forgetTraits, keepTraits, TRAITS } from './agent-traits.ts';
import { claudeTranscriptParser } from './claude-agent-sdk/parse-transcript.ts';
import { createClaudeStreamTranslator } from './claude-agent-sdk/translate-stream.ts';
import { codexTranscriptParser } from './codex/parse-transcript.ts';
import { createCodexStreamTranslator } from './codex/translate-stream.ts';
import { geminiTranscriptParser } from './gemini-cli/parse-transcript.ts';
import { createGeminiStreamTranslator } from './gemini-cli/translate-stream.ts';
import { opencodeTranscriptParser } from './opencode/parse-transcript.ts';
import { createOpencodeStreamTranslator } from './opencode/translate-stream.ts';
import { piTranscriptParser } from './pi/parse-transcript.ts';
import { createPiStreamTranslator } from './pi/translate-stream.ts';
import { robotaTranscriptParser } from './robota/parse-transcript.ts';
import { createRobotaStreamTranslator } from './robota/translate-stream.ts';

/** What can be said about an agent without touching a disk or a process: safe in a browser. */
export interface TranscriptFormat extends AgentTraits {
  readonly parser: TranscriptParser;
  /** `now` dates what the agent does not date; by default the clock does. */
  createTranslator(now?: () => string): StreamTranslator;
}

export const claudeFormat: TranscriptFormat = {
  ...TRAITS.claude,
  parser: claudeTranscriptParser,
  createTranslator: createClaudeStreamTranslator,
};

export const codexFormat: TranscriptFormat = {
  ...TRAITS.codex,
  parser: codexTranscriptParser,
  createTranslator: createCodexStreamTranslator,
};

export const geminiFormat: TranscriptFormat = {
  ...TRAITS.gemini,
  parser: geminiTranscriptParser,
  createTranslator: createGeminiStreamTranslator,
};

export const robotaFormat: TranscriptFormat = {
  ...TRAITS.robota,
  parser: robotaTranscriptParser,
  createTranslator: createRobotaStreamTranslator,
};

export const piFormat: TranscriptFormat = {
  ...TRAITS.pi,
  parser: piTranscriptParser,
  createTranslator: createPiStreamTranslator,
};

export const opencodeFormat: TranscriptFormat = {
  ...TRAITS.opencode,
  parser: opencodeTranscriptParser,
  createTranslator: createOpencodeStreamTranslator,
};

/** An agent that speaks the Agent Client Protocol; its name is its type. */
export function acpFormat(agent: AcpAgent): TranscriptFormat {
  return {
    ...acpTraits(agent),
    parser: acpTranscriptParser,
    createTranslator: (now) => createAcpStreamTranslator(now),
  };
}

const FORMATS = new Map<string, TranscriptFormat>();

/**
 * Makes an agent's format known; one of the same type is replaced, a name that another agent has is refused. The
 * returned function puts back what was there before.
 */
export function registerTranscriptFormat(format: TranscriptFormat): () => void {
  const rival = transcriptFormats().find(
    ({ type, name }) => type !== format.type && (name === format.name || type === format.name),
  );
  if (rival !== undefined) {
    throw new Error(`The agent name "${format.name}" belongs to ${rival.type} already`);
  }
  const before = FORMATS.get(format.type);
  keep(format);
  return () => {
    if (before) return keep(before);
    FORMATS.delete(format.type);
    forgetTraits(format.type);
  };
}

function keep(format: TranscriptFormat): void {
  FORMATS.set(format.type, format);
  keepTraits(format);
}

export function transcriptFormat(type: AgentArchitectureType): TranscriptFormat {
  const format = FORMATS.get(type);
  if (format === undefined) throw new Error(`There is no agent architecture "${type}"`);
  return format;
}

/** Everybody who is known, in the order of registration. */
export function transcriptFormats(): readonly TranscriptFormat[] {
  return [...FORMATS.values()];
}

for (const format of [
  claudeFormat,
  codexFormat,
  geminiFormat,
  robotaFormat,
  piFormat,
  opencodeFormat,
  ...KNOWN_ACP_AGENTS.map(acpFormat),
]) {
  registerTranscriptFormat(format);
}
