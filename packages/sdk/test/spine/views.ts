import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Entry, LogReader, SessionFold, type SessionState } from '@robota-sdk/agent-core/log';
import { entryOf, readLog } from '@robota-sdk/agent-session';
import { BlocksFold, type ConversationState, parseTranscripts } from '@robota-sdk/agent-transcript';
import { openSession } from '../../src/records/open-session.ts';
import type { Scenario } from './scenario.ts';

/** What anybody can see of a session, whichever way they look. */
export interface View {
  readonly blocks: unknown;
  readonly timeline?: unknown;
  readonly messages?: unknown;
  readonly usage?: unknown;
  readonly facts?: unknown;
}

/** Changes what is read from the log, as a bug in a reader would. */
export type Plant = (entry: Entry) => Entry | undefined;

const SOUND: Plant = (entry) => entry;

export async function liveView({ session }: Scenario): Promise<View> {
  const engine = session.getSession() as unknown as { getHistory(): unknown[] };
  const costs = await session.getCosts();
  return plain({
    blocks: conversation(session.getConversation()),
    timeline: session.getFullHistory(),
    messages: engine.getHistory(),
    usage: costs.map(({ costUsd: _cost, ...tally }) => tally),
    facts: { name: session.getName(), model: session.getModel() },
  });
}

/** From the record and the part of the log that is newer than it; from the log alone without a record. */
export function openedView({ session, store, logDirectory }: Scenario): View {
  const opened = openSession(session.sessionId, { store, logDirectory });
  if (opened instanceof Promise) throw new Error('A store of files answers at once.');
  return stateView(opened.fold.state, opened.blocks.state);
}

/** By folding every entry of the log, pieces of deltas one by one or joined. */
export function foldedView(
  { logFile, logDirectory, session }: Scenario,
  detail: 'whole' | 'folds',
  plant: Plant = SOUND,
): View {
  const fold = new SessionFold();
  const blocks = new BlocksFold();
  const take = (entry: Entry) => {
    if (entry.thread === undefined) fold.apply(entry);
    blocks.apply(entry);
  };
  readLog(logFile, {
    detail,
    onEntry: (read) => {
      const entry = plant(entryOf(read));
      if (entry?.event === 'subagent_ended') {
        const file = join(logDirectory, session.sessionId, 'subagents', `${entry.agentId}.jsonl`);
        const thread = String(entry.agentId);
        readLog(file, { detail, onEntry: (child) => take({ ...entryOf(child), thread }) });
      }
      if (entry) take(entry);
    },
  });
  return stateView(fold.state, blocks.state);
}

/** As another process follows a growing file: whatever bytes there are, line by line. */
export function followedView(scenario: Scenario, cuts: readonly number[]): View {
  const bytes = readFileSync(scenario.logFile);
  const reader = new LogReader({ detail: 'folds' });
  const fold = new SessionFold();
  let rest = '';
  let at = 0;
  for (const cut of [...cuts, bytes.length]) {
    const end = Math.min(bytes.length, at + cut);
    rest += bytes.subarray(at, end).toString('latin1');
    at = end;
    const lines = rest.split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const text = Buffer.from(line, 'latin1').toString('utf8');
      for (const entry of reader.read(text) ?? []) fold.apply(entryOf(entry));
    }
  }
  const { timeline, messages, usage, name, model } = fold.state;
  return plain({
    blocks: undefined,
    timeline,
    messages,
    usage: Object.values(usage),
    facts: { name, model },
  });
}

/** As the transcript package reads files that it knows nothing else about. */
export function parsedView({ logFile, logDirectory, session }: Scenario): View {
  const main = readFileSync(logFile, 'utf8');
  const first = parseTranscripts('robota', { main });
  const subagents = first.subagents.map(({ id }) => {
    const file = join(logDirectory, session.sessionId, 'subagents', `${id}.jsonl`);
    return { id, transcript: readFileSync(file, 'utf8') };
  });
  return plain({ blocks: conversation(parseTranscripts('robota', { main, subagents })) });
}

function stateView(state: Readonly<SessionState>, blocks: ConversationState): View {
  const { timeline, messages, usage, name, model } = state;
  return plain({
    blocks: conversation(blocks),
    timeline,
    messages,
    usage: Object.values(usage),
    facts: { name, model },
  });
}

function conversation({ blocks, subagents, superseded }: ConversationState): unknown {
  const threads = [...subagents].sort((left, right) => left.id.localeCompare(right.id));
  return { blocks, subagents: threads, superseded };
}

function plain(view: View): View {
  return JSON.parse(JSON.stringify(view));
}
