import { serializedLength } from '../context/estimate.ts';
import type { Message } from '../messages/message.ts';
import { getModelLimits } from '../models/model-limits.ts';
import type { Run } from './run.ts';
import { shorten } from './tool-message.ts';

/** Above this share of the window a request is shrunk, and refused where that is not enough. */
const HARD_LIMIT = 0.95;
/** One result may take this share of the window. */
const LARGEST_RESULT = 0.25;
const CHARACTERS_PER_TOKEN = 4;
/** What is kept of a tool result whose window is full, and of old results in a request that must shrink. */
const SMALLEST_RESULT = 1_000;

/** Characters the next tool result may have. */
export function roomForToolResult(run: Run): number {
  const window = contextWindow(run);
  const left = window * HARD_LIMIT - run.conversation.estimate().usedTokens;
  const room = Math.min(left / 2, window * LARGEST_RESULT) * CHARACTERS_PER_TOKEN;
  return Math.max(SMALLEST_RESULT, Math.floor(room));
}

/** The request, with old tool results cut where it would not fit; null where cutting does not help. */
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
  return { ...rest, content: shorten(message.content, SMALLEST_RESULT) };
}
