import { textOfParts } from './carry-parts.ts';
import type { HandOverStep, ModelPiece } from './steps.ts';
import { estimateTokens } from './transcript-writer.ts';

/** How much room the steps may take. */
export interface CompactStepsOptions {
  /** About how much of the end stays as it is. */
  readonly keepTokens: number;
  /** Makes the summary; it is given what is left out as text. */
  readonly summarise: (conversation: string) => Promise<string>;
}

/** The conversation with everything but its end replaced by a summary; it is cut before something a person said. */
export async function compactSteps(
  steps: readonly HandOverStep[],
  { keepTokens, summarise }: CompactStepsOptions,
): Promise<readonly HandOverStep[]> {
  const cut = cutBefore(steps, keepTokens);
  const [first] = steps.slice(cut);
  if (cut === 0 || first === undefined) return steps;
  const text = await summarise(steps.slice(0, cut).map(inWords).join('\n\n'));
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

function inWords(step: HandOverStep): string {
  if (step.role === 'summary') return `Earlier: ${step.text}`;
  if (step.role === 'user') return `User: ${textOfParts(step.parts)}`;
  return step.pieces.map(pieceInWords).filter(Boolean).join('\n');
}

function pieceInWords(piece: ModelPiece): string {
  if (piece.type !== 'call') return piece.type === 'text' ? `Assistant: ${piece.text}` : '';
  const { name, input, result } = piece.call;
  const outcome = result.isError ? 'failed' : 'answered';
  return `${name} ${shortened(JSON.stringify(input))} ${outcome}: ${shortened(textOfParts(result.parts))}`;
}

function shortened(text: string): string {
  return text.length <= MOST_LETTERS ? text : `${text.slice(0, MOST_LETTERS)} […]`;
}

const MOST_LETTERS = 2_000;
