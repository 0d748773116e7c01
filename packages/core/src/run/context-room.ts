import { serializedLength } from '../context/estimate.ts';
import type { Message } from '../messages/message.ts';
import { getModelLimits } from '../models/model-limits.ts';
import type { Run } from './run.ts';
import { shorten } from './tool-message.ts';

/** A request above this share of the window is shrunk, or refused if that is not enough. */
const HARD_LIMIT = 0.95;
/** Maximum share of the window for one tool result. */
const MAX_RESULT_SHARE = 0.25;
const CHARACTERS_PER_TOKEN = 4;
/** Minimum kept of a tool result when the window is full, and of old results when a request is shrunk. */
const MIN_RESULT_CHARACTERS = 1_000;

/** Maximum characters of the next tool result. */
export function roomForToolResult(run: Run): number {
  const window = contextWindow(run);
  const left = window * HARD_LIMIT - run.conversation.estimate().usedTokens;
  const room = Math.min(left / 2, window * MAX_RESULT_SHARE) * CHARACTERS_PER_TOKEN;
  return Math.max(MIN_RESULT_CHARACTERS, Math.floor(room));
}

/** The request, with old tool results cut if it would not fit; null if cutting is not enough. */
export function fitIntoWindow(run: Run, messages: readonly Message[]): readonly Message[] | null {
  const limit = contextWindow(run) * HARD_LIMIT;
  const { usedTokens } = run.conversation.estimate();
  if (usedTokens <= limit) return messages;

  let excess = (usedTokens - limit) * CHARACTERS_PER_TOKEN;
  const shrunk = messages.map((message) => {
    if (excess <= 0 || message.role !== 'tool') return message;
    const smaller = cutResult(message);
    excess -= serializedLength(message) - serializedLength(smaller);
    return smaller;
  });
  return excess > 0 ? null : shrunk;
}

function contextWindow(run: Run): number {
  return run.limits.contextMaxTokens ?? getModelLimits(run.model).contextWindow;
}

function cutResult(message: Message & { role: 'tool' }): Message {
  const { parts: _images, ...rest } = message;
  return { ...rest, content: shorten(message.content, MIN_RESULT_CHARACTERS) };
}
