import { createAssistantMessage, createUserMessage, type Message } from '@robota-sdk/agent-core';
import type { PreparedPrompt } from '../assembly/session-extension.ts';
import type { LiveBlocks } from '../blocks/live-blocks.ts';
import type { EventHub } from './event-hub.ts';
import type { ExecutionResult, SubmitOutcome } from './execution-result.ts';
import type { Ledger, TurnUsage } from './ledger.ts';
import type { LiveTurn } from './live-turn.ts';
import type { QueuedPrompt } from './prompt-queue.ts';
import type { SessionPort } from './session-port.ts';
import type { Timeline } from './timeline.ts';
import { summarizeTool } from './tool-state.ts';

export interface TurnParts {
  readonly events: EventHub;
  readonly timeline: Timeline;
  readonly live: LiveTurn;
  readonly blocks: LiveBlocks;
  readonly ledger: Ledger;
  /** Puts the session together on first use. */
  readonly session: () => Promise<SessionPort>;
  /** Lets extensions add to what the model is sent. */
  readonly prepare: (prompt: PreparedPrompt) => Promise<PreparedPrompt> | PreparedPrompt;
  /** True when the turn was called off while the session was still being put together. */
  readonly isAborted: () => boolean;
  /** Takes the requests of this turn into the ledger. */
  readonly countUsage: () => void;
  /** Puts a session that has no record yet on record. */
  readonly saveFirst: () => Promise<void>;
  /** Never rejects: a store that fails is told as a notice. */
  readonly save: () => Promise<void>;
}

/** Answers one prompt. A failure is an outcome; the record is saved before anybody hears of the end. */
export async function runTurn(prompt: QueuedPrompt, parts: TurnParts): Promise<SubmitOutcome> {
  const { events, timeline, live, blocks } = parts;
  live.begin();
  timeline.addUser(prompt.displayInput);
  events.emit('user_message', prompt.displayInput);
  blocks.beginTurn(prompt.displayInput);
  events.emit('thinking', true);
  const outcome = await attempt(prompt, parts);
  await parts.save();
  announce(outcome, events);
  events.emit('thinking', false);
  return outcome;
}

async function attempt(prompt: QueuedPrompt, parts: TurnParts): Promise<SubmitOutcome> {
  let session: SessionPort | undefined;
  try {
    session = await parts.session();
    if (parts.isAborted()) return interrupted(session, parts);
    await parts.saveFirst();
    const response = await ask(session, prompt, await parts.prepare({ input: prompt.input }));
    parts.blocks.endTurn();
    if (!parts.blocks.hasHeard) sayWhole(prompt, response, parts.blocks);
    return completed(session, response || '(empty response)', parts);
  } catch (error) {
    parts.blocks.endTurn();
    if (session && isAbort(error)) return interrupted(session, parts);
    return failed(error, parts);
  }
}

/** What hooks match on stays what was typed, whatever was added to it. */
function ask(
  session: SessionPort,
  prompt: QueuedPrompt,
  { input, parts }: PreparedPrompt,
): Promise<string> {
  const rawInput = input === prompt.input ? prompt.rawInput : (prompt.rawInput ?? prompt.input);
  return parts ? session.run(input, rawInput, { parts }) : session.run(input, rawInput);
}

function completed(session: SessionPort, response: string, parts: TurnParts): SubmitOutcome {
  closeTools(parts);
  parts.timeline.addAssistant(response);
  const usage = turnUsage(session, parts);
  if (usage) parts.timeline.addEvent('usage-summary', usage);
  return { status: 'completed', result: resultOf({ session, response, usage }, parts) };
}

function interrupted(session: SessionPort, parts: TurnParts): SubmitOutcome {
  closeTools(parts);
  const response = textSinceLastPrompt(session.getHistory()) || parts.live.streamingText;
  if (response !== '') parts.timeline.addAssistant(response, 'interrupted');
  parts.timeline.addSystem('Interrupted by user.');
  parts.blocks.system('status', 'Interrupted by user.');
  const usage = turnUsage(session, parts);
  return { status: 'interrupted', result: resultOf({ session, response, usage }, parts) };
}

function failed(cause: unknown, parts: TurnParts): SubmitOutcome {
  closeTools(parts);
  const error = cause instanceof Error ? cause : new Error(String(cause), { cause });
  parts.timeline.addSystem(`Error: ${error.message}`);
  parts.blocks.system('error', error.message);
  return { status: 'failed', error };
}

function announce(outcome: SubmitOutcome, events: EventHub): void {
  if (outcome.status === 'failed') events.emit('error', outcome.error);
  if (outcome.status !== 'completed' && outcome.status !== 'interrupted') return;
  events.emit(outcome.status === 'completed' ? 'complete' : 'interrupted', outcome.result);
  events.emit('context_update', outcome.result.contextState);
}

/** A session that reports no engine events is shown by its two ends. */
function sayWhole(prompt: QueuedPrompt, response: string, blocks: LiveBlocks): void {
  blocks.say(createUserMessage(prompt.input));
  if (response !== '') blocks.say(createAssistantMessage(response));
}

function closeTools({ live, timeline }: TurnParts): void {
  const tools = live.finishedTools();
  if (tools.length > 0) timeline.addToolSummary(tools);
}

function resultOf(
  ending: { session: SessionPort; response: string; usage: TurnUsage | undefined },
  parts: TurnParts,
): ExecutionResult {
  return {
    response: ending.response,
    history: parts.timeline.entries(),
    toolSummaries: parts.live.finishedTools().map(summarizeTool),
    contextState: ending.session.getContextState(),
    ...(ending.usage && { usage: ending.usage }),
  };
}

function turnUsage(session: SessionPort, parts: TurnParts): TurnUsage | undefined {
  parts.countUsage();
  const usage = parts.ledger.turn();
  if (!usage) return undefined;
  const state = session.getContextState();
  return {
    kind: 'exact',
    scope: 'turn',
    promptTokens: usage.inputTokens,
    completionTokens: usage.outputTokens,
    totalTokens: usage.inputTokens + usage.outputTokens,
    contextUsedTokens: state.usedTokens,
    contextMaxTokens: state.maxTokens,
    contextUsedPercentage: state.usedPercentage,
    costStatus: 'unknown',
  };
}

/** Everything the assistant said in this turn, by blank lines. */
function textSinceLastPrompt(messages: readonly Message[]): string {
  const texts: string[] = [];
  for (const message of messages.toReversed()) {
    if (message.role === 'user') break;
    if (message.role === 'assistant' && message.content) texts.unshift(message.content);
  }
  return texts.join('\n\n');
}

function isAbort(error: unknown): boolean {
  return error instanceof Error && error.name === 'AbortError';
}
