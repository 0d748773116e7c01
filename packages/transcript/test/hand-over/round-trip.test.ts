import { parseTranscripts, toAgentType } from '@robota-sdk/agent-transcript';
import {
  compareSteps,
  FIDELITY_KINDS,
  type HandOverStep,
  type NewTranscript,
  registeredAgent,
  toSteps,
} from '@robota-sdk/agent-transcript/architectures';
import { describe, expect, it } from 'vitest';
import { allRecordings } from '../architectures/all-recordings.ts';
import { checkLines } from './strict-checkers.ts';

const SESSION: NewTranscript = {
  id: '00000000-0000-4000-8000-0000000000aa',
  cwd: '/code/space',
  now: new Date('2026-11-16T10:00:00.000Z'),
  origin: { agent: 'test', title: 'A test', id: 'source-1' },
};

/** What a format does not support: thinking without a signature, a document. */
const MAY_BE_LOST = {
  claude: ['thinking'],
  codex: ['documents', 'thinking'],
  gemini: ['documents'],
} as const;

describe.each(Object.keys(MAY_BE_LOST) as (keyof typeof MAY_BE_LOST)[])(
  'written for %s',
  (name) => {
    const type = toAgentType(name) ?? '';

    it.each(allRecordings)('$name is unchanged when it is read again', (recording) => {
      const { main, subagents } = recording;
      const source = toSteps(parseTranscripts(recording.type, { main, subagents }).blocks);

      const lines = write(type, source);

      const parsed = parseTranscripts(type, { main: lines.join('\n') });
      const fidelity = compareSteps(source, toSteps(parsed.blocks));
      const lossy: readonly string[] = MAY_BE_LOST[name];
      const lost = FIDELITY_KINDS.filter((kind) => {
        const { kept, of, extra } = fidelity[kind];
        return (kept < of || extra > 0) && !lossy.includes(kind);
      });
      expect(lost.map((kind) => ({ kind, ...fidelity[kind] }))).toEqual([]);
      expect(checkLines(type, lines)).toEqual([]);
      expect(parsed.skipped).toEqual({ lines: 0, kinds: {} });
      expect(parsed.superseded).toEqual([]);
      expect((parsed.metadata.usage?.totalTokens ?? 0) + (parsed.requests?.length ?? 0)).toBe(0);
    });
  },
);

function write(type: string, steps: readonly HandOverStep[]): string[] {
  return [...(registeredAgent(type).writer?.lines(steps, SESSION) ?? [])];
}
