import type { RawSubagentTranscript } from '@robota-sdk/agent-transcript';
import { recordings as claude } from './claude-agent-sdk/recordings.ts';
import { recordings as codex } from './codex/recordings.ts';
import { recordings as gemini } from './gemini-cli/recordings.ts';

/** A recording of any real program. */
export interface AnyRecording {
  readonly type: string;
  readonly name: string;
  readonly path: string;
  readonly main: string;
  readonly subagents: readonly RawSubagentTranscript[];
}

export const allRecordings: readonly AnyRecording[] = [
  ...claude.map(({ name, path, raw }) => ({
    type: 'claude-agent-sdk',
    name: `claude ${name}`,
    path,
    main: raw.main,
    subagents: raw.subagents,
  })),
  ...codex.map(({ name, path, text }) => ({
    type: 'codex',
    name: `codex ${name}`,
    path,
    main: text,
    subagents: othersOf(path, text),
  })),
  ...gemini.map(({ name, path, raw }) => ({
    type: 'gemini-cli',
    name: `gemini ${name}`,
    path,
    main: raw.main,
    subagents: raw.subagents ?? [],
  })),
];

/** The other rollouts of the same step: subagents, and what a fork continues. */
function othersOf(path: string, text: string): RawSubagentTranscript[] {
  const home = path.replace(/\/sessions\/.*$/, '');
  return codex
    .filter((one) => one.path.startsWith(`${home}/`) && one.text !== text)
    .map((one) => ({ id: one.threadId, transcript: one.text }));
}

export function linesOf(text: string): string[] {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines;
}
