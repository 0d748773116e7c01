import type { Fidelity, FidelityKind } from '@robota-sdk/agent-transcript/architectures';

/** What a hand-over carries, counted by reading what was written, or would be. */
export interface HandOverReport {
  readonly fidelity: Fidelity;
  readonly losses: readonly HandOverLoss[];
  /** About what the conversation takes of a model's context. */
  readonly estimatedTokens: number;
}

/** Something that is not carried over as it was. */
export interface HandOverLoss {
  readonly what: string;
  readonly count: number;
  readonly how: 'left_out' | 'as_text' | 'changed';
  readonly reason: string;
}

/** The report as lines for a person. */
export function describeHandOver({ fidelity, losses, estimatedTokens }: HandOverReport): string[] {
  const kept = KINDS.filter((kind) => fidelity[kind].of > 0).map((kind) => {
    const { kept: count, of } = fidelity[kind];
    return `${FIDELITY_NAMES[kind]}: ${count} of ${of} kept`;
  });
  const lost = losses.map(
    ({ what, count, how, reason }) => `${what}: ${count} ${HOW[how]}; ${reason}`,
  );
  return [...kept, ...lost, `about ${estimatedTokens} tokens`];
}

const HOW = { left_out: 'left out', as_text: 'as text', changed: 'changed' } as const;

/** What is counted, as a person reads it, in the order of a report. */
export const FIDELITY_NAMES: Readonly<Record<FidelityKind, string>> = {
  userTexts: 'prompts',
  assistantTexts: 'answers',
  calls: 'tool calls',
  results: 'tool results',
  errorFlags: 'outcomes of tools',
  images: 'images',
  documents: 'documents',
  thinking: 'thoughts',
  summaries: 'summaries',
};

const KINDS = Object.keys(FIDELITY_NAMES) as readonly FidelityKind[];
