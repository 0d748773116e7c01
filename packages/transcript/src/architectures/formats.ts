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

/** The part of an agent that needs neither disk nor processes, so it also works in a browser. */
export interface TranscriptFormat extends AgentTraits {
  readonly parser: TranscriptParser;
  /** `now` supplies timestamps the agent leaves out; the system clock by default. */
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

/** The format of an ACP agent; its name is its type. */
export function acpFormat(agent: AcpAgent): TranscriptFormat {
  return {
    ...acpTraits(agent),
    parser: acpTranscriptParser,
    createTranslator: (now) => createAcpStreamTranslator(now),
  };
}

const FORMATS = new Map<string, TranscriptFormat>();

/**
 * Registers an agent's format; one of the same type is replaced, a name that another agent has is refused. The
 * returned function restores the previous format.
 */
export function registerTranscriptFormat(format: TranscriptFormat): () => void {
  const owner = transcriptFormats().find(
    ({ type, name }) => type !== format.type && (name === format.name || type === format.name),
  );
  if (owner !== undefined) {
    throw new Error(`The agent name "${format.name}" is already used by ${owner.type}`);
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

/** All registered formats, in the order of registration. */
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
