import type { Fidelity, FidelityKind } from '@robota-sdk/agent-transcript/architectures';

/** What a hand-over preserves, counted by reading back what was (or would be) written. */
export interface HandOverReport {
  readonly fidelity: Fidelity;
  readonly losses: readonly HandOverLoss[];
  /** Approximate size of the conversation in a model's context. */
  readonly estimatedTokens: number;
}

/** Something that is not preserved as it was. */
export interface HandOverLoss {
  readonly what: string;
  readonly count: number;
  readonly how: 'left_out' | 'as_text' | 'changed';
  readonly reason: string;
}

/** The report as lines of text for users. */
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

/** Display names of what is counted, in the order of a report. */
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
