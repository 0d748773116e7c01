import type { AgentArchitectureType } from '../architecture-type.ts';
import type { StreamTranslator } from '../stream-translator.ts';
import type { TranscriptParser } from '../transcript-parser.ts';
import { type AcpAgent, acpTypeOf, KNOWN_ACP_AGENTS } from './acp/known-agents.ts';
import { acpTranscriptParser } from './acp/parse-transcript.ts';
import { createAcpStreamTranslator } from './acp/translate-stream.ts';
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
export interface TranscriptFormat {
  readonly type: AgentArchitectureType;
  /** What people type and read: `claude`. */
  readonly name: string;
  /** `Claude Code`. */
  readonly title: string;
  readonly parser: TranscriptParser;
  /** False where a session cannot begin as a copy of another. */
  readonly canFork?: false | undefined;
  /** Whether its program can be sent images with a prompt. */
  readonly takesImages?: true | undefined;
  /** `now` dates what the agent does not date; by default the clock does. */
  createTranslator(now?: () => string): StreamTranslator;
}

export const claudeFormat: TranscriptFormat = {
  type: 'claude-agent-sdk',
  name: 'claude',
  title: 'Claude Code',
  parser: claudeTranscriptParser,
  takesImages: true,
  createTranslator: createClaudeStreamTranslator,
};

export const codexFormat: TranscriptFormat = {
  type: 'codex',
  name: 'codex',
  title: 'Codex',
  parser: codexTranscriptParser,
  takesImages: true,
  createTranslator: createCodexStreamTranslator,
};

export const geminiFormat: TranscriptFormat = {
  type: 'gemini-cli',
  name: 'gemini',
  title: 'Gemini CLI',
  parser: geminiTranscriptParser,
  takesImages: true,
  createTranslator: createGeminiStreamTranslator,
};

export const robotaFormat: TranscriptFormat = {
  type: 'robota',
  name: 'robota',
  title: 'Robota',
  parser: robotaTranscriptParser,
  createTranslator: createRobotaStreamTranslator,
};

export const piFormat: TranscriptFormat = {
  type: 'pi',
  name: 'pi',
  title: 'pi',
  parser: piTranscriptParser,
  createTranslator: createPiStreamTranslator,
};

export const opencodeFormat: TranscriptFormat = {
  type: 'opencode',
  name: 'opencode',
  title: 'opencode',
  parser: opencodeTranscriptParser,
  createTranslator: createOpencodeStreamTranslator,
};

/** An agent that speaks the Agent Client Protocol; its name is its type. */
export function acpFormat({ name, title }: AcpAgent): TranscriptFormat {
  const type = acpTypeOf(name);
  return {
    type,
    name: type,
    title,
    parser: acpTranscriptParser,
    canFork: false,
    // Which agent does is known once it runs; one that does not says so.
    takesImages: true,
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
  FORMATS.set(format.type, format);
  return () => {
    if (before === undefined) FORMATS.delete(format.type);
    else FORMATS.set(format.type, before);
  };
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

/** The type meant by what a person wrote: `claude` and `claude-agent-sdk` are one. */
export function toAgentType(nameOrType: string): AgentArchitectureType | undefined {
  if (FORMATS.has(nameOrType)) return nameOrType;
  return transcriptFormats().find(({ name }) => name === nameOrType)?.type;
}

/** What people call the agent; a type that nobody has registered is its own name. */
export function toAgentName(type: AgentArchitectureType): string {
  return FORMATS.get(type)?.name ?? type;
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
