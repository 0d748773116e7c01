import type { Message } from '@robota-sdk/agent-core';
import { summaryMessage } from './compaction-orchestrator.ts';

/** A history split for compaction between two rounds of a run. */
export interface MidRunSplit {
  /** What the summary replaces. */
  readonly old: readonly Message[];
  /** This turn's prompt and the last tool calls with all their results. */
  readonly kept: readonly Message[];
}

/** `[system] [assistant: summary]`, followed by the kept messages. */
export function compactedHistory(
  messages: readonly Message[],
  summary: string,
  kept: readonly Message[] = [],
): Message[] {
  const system = messages.filter((message) => message.role === 'system').slice(0, 1);
  return [...system, summaryMessage(summary), ...kept];
}

/** Splits only between complete groups of calls and results; null when there is nothing before them to summarize. */
export function splitMidRun(messages: readonly Message[], promptIndex: number): MidRunSplit | null {
  const prompt = messages[promptIndex];
  const lastCall = messages.findLastIndex(
    (message) => message.role === 'assistant' && (message.toolCalls?.length ?? 0) > 0,
  );
  if (prompt?.role !== 'user' || lastCall < promptIndex) return null;
  const old = [...messages.slice(0, promptIndex), ...messages.slice(promptIndex + 1, lastCall)];
  return { old, kept: [prompt, ...messages.slice(lastCall)] };
}
