import type { FinderPlace } from '../architectures/session-finder.ts';
import type { HandOverStep } from './steps.ts';

/**
 * Port: writes a conversation as one agent's own session, which its program resumes. Lines parse back to the same
 * steps, except for what the format has no place for; equal input gives equal lines.
 */
export interface TranscriptWriter {
  /** Where the program looks for the session; nothing is there yet. */
  place(session: NewSession, place: FinderPlace): Promise<string>;
  /** The file, line by line, without newlines. */
  lines(steps: readonly HandOverStep[], session: NewSession): Iterable<string>;
  /** Tokens the program's models read at most, as far as is known without asking. */
  readonly contextTokens: number;
}

/** The session that is written; always one that did not exist before. */
export interface NewSession {
  /** A UUID: anything else is refused by the programs, or silently begins another session. */
  readonly id: string;
  readonly cwd: string;
  readonly now: Date;
  readonly origin: HandOverOrigin;
}

/** Where the conversation took place. */
export interface HandOverOrigin {
  /** As people call it: `codex`. */
  readonly agent: string;
  readonly title: string;
  readonly id: string;
}

/** What the model is told before the conversation begins. */
export function handOverNote({ origin }: NewSession): string {
  return `The conversation below took place in ${origin.title} (session ${origin.id}) and is continued here. Its tool calls were made with the tools of ${origin.title}; use your own tools from now on, and read files again before relying on what they contained.`;
}

/** The time of a record, or that of the hand-over where the source has none. */
export function dated(at: string, { now }: NewSession): string {
  const time = Date.parse(at);
  return Number.isNaN(time) || time <= 0 ? now.toISOString() : new Date(time).toISOString();
}

/** About what the conversation takes of a model's context: a token for every four characters, 1,600 for an image. */
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
