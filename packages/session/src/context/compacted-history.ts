import type { Message, MessageMetadata } from '@robota-sdk/agent-core';
import { summaryMessage } from './compaction-orchestrator.ts';

/** A history split for compaction between two rounds of a run. */
export interface MidRunSplit {
  /** What the summary replaces. */
  readonly old: readonly Message[];
  /** This turn's prompt and the last tool calls with all their results. */
  readonly kept: readonly Message[];
}

/** `[system] [assistant: summary]`, as between two runs. */
export function compactedHistory(
  messages: readonly Message[],
  summary: string,
  kept: readonly Message[] = [],
): Message[] {
  const system = messages.filter((message) => message.role === 'system').slice(0, 1);
  return [...system, summaryMessage(summary), ...kept.map(withoutUsage)];
}

/** Cuts only between settled groups; null when there is nothing before them to summarize. */
export function splitMidRun(messages: readonly Message[], promptIndex: number): MidRunSplit | null {
  const prompt = messages[promptIndex];
  const lastCall = messages.findLastIndex(
    (message) => message.role === 'assistant' && (message.toolCalls?.length ?? 0) > 0,
  );
  if (prompt?.role !== 'user' || lastCall < promptIndex) return null;
  const old = [...messages.slice(0, promptIndex), ...messages.slice(promptIndex + 1, lastCall)];
  return { old, kept: [prompt, ...messages.slice(lastCall)] };
}

const USAGE_FIELDS = new Set([
  'inputTokens',
  'outputTokens',
  'promptTokens',
  'completionTokens',
  'totalTokens',
  'usage',
  'cacheReadTokens',
  'cacheWriteTokens',
]);

/** The tokens a kept reply was counted with are those of the long conversation, which is gone. */
function withoutUsage(message: Message): Message {
  if (message.role !== 'assistant' || !message.metadata) return message;
  const metadata: MessageMetadata = Object.fromEntries(
    Object.entries(message.metadata).filter(([name]) => !USAGE_FIELDS.has(name)),
  );
  return { ...message, metadata };
}
