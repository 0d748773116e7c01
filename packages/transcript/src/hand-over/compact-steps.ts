import { textOfParts } from './carry-parts.ts';
import type { HandOverStep, ModelPiece } from './steps.ts';
import { estimateTokens } from './transcript-writer.ts';

/** Options of `compactSteps`. */
export interface CompactStepsOptions {
  /** Approximate size of the end that is kept. */
  readonly keepTokens: number;
  /** Summarises the removed part, given as text. */
  readonly summarise: (conversation: string) => Promise<string>;
}

/** Replaces everything but the end of the conversation by a summary; cuts before a user message. */
export async function compactSteps(
  steps: readonly HandOverStep[],
  { keepTokens, summarise }: CompactStepsOptions,
): Promise<readonly HandOverStep[]> {
  const cut = cutBefore(steps, keepTokens);
  const [first] = steps.slice(cut);
  if (cut === 0 || first === undefined) return steps;
  const text = await summarise(steps.slice(0, cut).map(asText).join('\n\n'));
  if (text.trim() === '') throw new Error('Cannot compact the session: the summary is empty');
  return [{ role: 'summary', at: first.at, text }, ...steps.slice(cut)];
}

function cutBefore(steps: readonly HandOverStep[], keepTokens: number): number {
  let cut = steps.length;
  let tokens = 0;
  for (let index = steps.length - 1; index >= 0; index--) {
    const step = steps[index];
    if (step === undefined) break;
    tokens += estimateTokens([step]);
    const isOver = tokens > keepTokens;
    if (isOver && cut < steps.length) break;
    if (step.role === 'user') cut = index;
    if (isOver && cut < steps.length) break;
  }
  return cut === steps.length ? 0 : cut;
}

function asText(step: HandOverStep): string {
  if (step.role === 'summary') return `Earlier: ${step.text}`;
  if (step.role === 'user') return `User: ${textOfParts(step.parts)}`;
  return step.pieces.map(pieceAsText).filter(Boolean).join('\n');
}

function pieceAsText(piece: ModelPiece): string {
  if (piece.type !== 'call') return piece.type === 'text' ? `Assistant: ${piece.text}` : '';
  const { name, input, result } = piece.call;
  const outcome = result.isError ? 'failed' : 'answered';
  return `${name} ${shortened(JSON.stringify(input))} ${outcome}: ${shortened(textOfParts(result.parts))}`;
}

function shortened(text: string): string {
  return text.length <= MAX_CHARACTERS ? text : `${text.slice(0, MAX_CHARACTERS)} […]`;
}

const MAX_CHARACTERS = 2_000;
