import type { FinderPlace } from '../architectures/session-finder.ts';
import type { HandOverStep } from './steps.ts';

/**
 * Port: writes a conversation as one agent's own session, which its program can resume. Lines parse back to the same
 * steps, except for what the format does not support; equal input gives equal lines.
 */
export interface TranscriptWriter {
  /** The path where the program looks for the session; does not exist yet. */
  place(session: NewTranscript, place: FinderPlace): Promise<string>;
  /** The file, line by line, without newlines. */
  lines(steps: readonly HandOverStep[], session: NewTranscript): Iterable<string>;
  /** Assumed context window of the program's models, in tokens. */
  readonly contextTokens: number;
}

/** The session to be written, which must be new. */
export interface NewTranscript {
  /** A UUID: programs refuse anything else, or silently start another session. */
  readonly id: string;
  readonly cwd: string;
  readonly now: Date;
  readonly origin: HandOverOrigin;
}

/** The source of the conversation. */
export interface HandOverOrigin {
  /** Its short name: `codex`. */
  readonly agent: string;
  readonly title: string;
  readonly id: string;
}

/** The note for the model before the conversation. */
export function handOverNote({ origin }: NewTranscript): string {
  return `The conversation below took place in ${origin.title} (session ${origin.id}) and is continued here. Its tool calls were made with the tools of ${origin.title}; use your own tools from now on, and read files again before relying on what they contained.`;
}

/** The time of a record, or of the hand-over if the source has none. */
export function dated(at: string, { now }: NewTranscript): string {
  const time = Date.parse(at);
  return Number.isNaN(time) || time <= 0 ? now.toISOString() : new Date(time).toISOString();
}

/** Estimated size in tokens: one per four characters, 1,600 per image. */
export function estimateTokens(steps: readonly HandOverStep[]): number {
  let characters = 0;
  for (const step of steps) characters += lengthOf(step);
  return Math.ceil(characters / 4);
}

function lengthOf(step: HandOverStep): number {
  if (step.role === 'summary') return step.text.length;
  if (step.role === 'user') return partsLength(step.parts);
  let length = 0;
  for (const piece of step.pieces) {
    if (piece.type === 'text') length += piece.text.length;
    if (piece.type !== 'call') continue;
    const { name, input, result } = piece.call;
    length += name.length + JSON.stringify(input).length + partsLength(result.parts);
  }
  return length;
}

function partsLength(parts: Extract<HandOverStep, { role: 'user' }>['parts']): number {
  let length = 0;
  for (const part of parts) length += part.type === 'text' ? part.text.length : MEDIA_CHARACTERS;
  return length;
}

const MEDIA_CHARACTERS = 6_400;
