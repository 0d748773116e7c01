import type { ParsedTranscript } from '@robota-sdk/agent-transcript';
import {
  estimateTokens,
  FIDELITY_KINDS,
  type Fidelity,
  type FidelityKind,
  type HandOverStep,
  sinceCompaction,
} from '@robota-sdk/agent-transcript/architectures';
import { FIDELITY_NAMES, type HandOverLoss, type HandOverReport } from './hand-over-report.ts';

/** What is known about the source before anything is written. */
export interface SourceCounts {
  readonly estimatedTokens: number;
  readonly losses: readonly HandOverLoss[];
}

/** Counts what cannot be represented in the target's session. */
export function countSource(
  { blocks, subagents, superseded }: ParsedTranscript,
  steps: readonly HandOverStep[],
  { full, target }: { readonly full: boolean; readonly target: string },
): SourceCounts {
  const { rest, summary } = sinceCompaction(blocks);
  const carried = full ? blocks : rest;
  const calls = new Set(carried.flatMap((block) => ('toolUseId' in block ? calledBy(block) : [])));
  const orphans = carried.filter((b) => b.type === 'tool_result' && !calls.has(b.toolUseId));
  const notices = carried.filter(({ type }) => type === 'system');
  const results = resultsOf(steps);
  const interrupted = results.filter(({ isMissing }) => isMissing === true);
  const long = target === 'codex' ? results.filter(isTruncatedByCodex) : [];
  const replaced = full || summary === undefined ? 0 : blocks.length - rest.length - 1;
  const losses: HandOverLoss[] = [
    {
      how: 'left_out',
      what: 'blocks before the last compaction',
      count: replaced,
      reason: 'its summary stands for them',
    },
    {
      how: 'left_out',
      what: 'notices of the program',
      count: notices.length,
      reason: 'they are not part of what a model reads',
    },
    {
      how: 'left_out',
      what: 'threads of subagents',
      count: subagents.length,
      reason: 'their reports are kept as results of a call',
    },
    {
      how: 'left_out',
      what: 'abandoned branches',
      count: superseded.length,
      reason: 'they are not part of the conversation',
    },
    {
      how: 'left_out',
      what: 'results without a call',
      count: orphans.length,
      reason: 'every vendor refuses them',
    },
    {
      how: 'changed',
      what: 'calls without a result',
      count: interrupted.length,
      reason: 'they are answered with an error',
    },
    {
      how: 'changed',
      what: 'long results',
      count: long.length,
      reason: 'Codex cuts them when it sends them; the file has them whole',
    },
  ];
  return {
    estimatedTokens: estimateTokens(steps),
    losses: losses.filter(({ count }) => count > 0),
  };
}

export function reportOf(counts: SourceCounts, fidelity: Fidelity): HandOverReport {
  const losses = FIDELITY_KINDS.flatMap((kind) => {
    const missing = fidelity[kind].of - fidelity[kind].kept;
    const { how, reason } = REASONS[kind];
    return missing > 0 ? [{ how, what: FIDELITY_NAMES[kind], count: missing, reason }] : [];
  });
  return {
    fidelity,
    losses: [...counts.losses, ...losses],
    estimatedTokens: counts.estimatedTokens,
  };
}

const OTHER = { how: 'changed', reason: 'they read differently in the written session' } as const;
const MEDIA = {
  how: 'as_text',
  reason: 'the target has no place for them, so they are named',
} as const;

const REASONS: Readonly<Record<FidelityKind, Pick<HandOverLoss, 'how' | 'reason'>>> = {
  userTexts: OTHER,
  assistantTexts: OTHER,
  calls: OTHER,
  results: OTHER,
  errorFlags: OTHER,
  images: MEDIA,
  documents: MEDIA,
  thinking: { how: 'left_out', reason: 'only the vendor that had them takes them back' },
  summaries: OTHER,
};

function calledBy(block: ParsedTranscript['blocks'][number]): string[] {
  const isCall = block.type === 'tool_use' || block.type === 'subagent';
  return isCall && block.toolUseId !== undefined ? [block.toolUseId] : [];
}

function resultsOf(steps: readonly HandOverStep[]) {
  return steps.flatMap((step) =>
    step.role === 'assistant'
      ? step.pieces.flatMap((piece) => (piece.type === 'call' ? [piece.call.result] : []))
      : [],
  );
}

function isTruncatedByCodex({ parts }: ReturnType<typeof resultsOf>[number]): boolean {
  const length = parts.reduce(
    (sum, part) => sum + (part.type === 'text' ? part.text.length : 0),
    0,
  );
  return length > CODEX_MAX_RESULT_CHARACTERS;
}

/** Ten thousand tokens, at four characters each. */
const CODEX_MAX_RESULT_CHARACTERS = 40_000;
