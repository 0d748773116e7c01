import { join } from 'node:path';
import type { CatalogueSession } from '@robota-sdk/agent-archive';
import { FollowedSession, redactText, type SessionView, userPaths } from '@robota-sdk/agent-sdk';
import type { ConversationBlock } from '@robota-sdk/agent-transcript';
import { parseArguments } from '../../arguments/parse-arguments.ts';
import { agentTitle } from '../../arguments/read-agent.ts';
import { readFlags } from '../../arguments/read-flags.ts';
import { EXIT } from '../../exit-code.ts';
import { renderBlocks } from '../../export/render-markdown.ts';
import type { Output } from '../../output.ts';
import { jsonText } from '../../output.ts';
import type { TerminalSession } from '../../terminal/run-terminal.ts';
import { UsageError } from '../../usage-error.ts';
import { commandEntries } from '../command-entries.ts';
import { findSession, isOwn } from '../find-session.ts';
import { runInteractive } from '../interactive.ts';
import { untilSignal } from '../until-signal.ts';

const FLAGS = { json: { type: 'boolean' }, debug: { type: 'boolean' } } as const;

/** `robota sessions follow`: a read-only live view of a session while its program writes it. */
export async function followOne(args: readonly string[], output: Output): Promise<number> {
  const { values, positionals } = readFlags(args, FLAGS);
  const [reference] = positionals;
  if (reference === undefined || positionals.length > 1)
    throw new UsageError('Usage: robota sessions follow <id|name|last> [--json]');
  const found = await findSession(reference, output);
  const view = viewOf(found);
  const isScreen = !values.json && process.stdin.isTTY && process.stdout.isTTY;
  if (!isScreen) return printFollowed(view, output, values.json === true);
  return runInteractive(parseArguments([]), output, (choice) =>
    choice.kind === 'start' ? Promise.resolve(followed(view, found)) : undefined,
  );
}

function viewOf(session: CatalogueSession): FollowedSession {
  const { type, id, path, name, cwd } = session;
  const own = isOwn(session) ? join(userPaths().logs, `${id}.jsonl`) : undefined;
  return new FollowedSession({ type, sessionId: id, path: own ?? (path || undefined), name, cwd });
}

function followed(session: SessionView, { agent, id }: CatalogueSession): TerminalSession {
  return {
    session,
    model: '',
    provider: agent,
    missingKey: undefined,
    found: undefined,
    resumeCommand: undefined,
    remark: `Following ${agentTitle(agent)} session ${id} (read-only). Continue in a copy with robota -r ${agent}:${id}.`,
    commands: () => commandEntries(session),
  };
}

/** Prints the conversation so far, then new blocks until a signal. */
async function printFollowed(
  view: FollowedSession,
  output: Output,
  isJson: boolean,
): Promise<number> {
  const signal = untilSignal();
  const show = (blocks: readonly ConversationBlock[]) => {
    const text = redactText(renderBlocks(blocks));
    if (text !== '') output.writeLine(`${text}\n`);
  };
  const calls = new Map<string, ConversationBlock>();
  view.on('error', (error) => output.note(error.message));
  await view.whenReady();
  if (isJson) output.writeLine(jsonText({ type: 'conversation', ...view.getConversation() }));
  else show(view.getConversation().blocks);
  view.on('stream_event', (event) => {
    if (isJson) output.writeLine(jsonText(event));
    else if (event.type === 'block_complete' && event.conversationId === 'main')
      show(finished(event.block, calls));
  });
  view.on('resync', (conversation) => {
    if (isJson) output.writeLine(jsonText({ type: 'resync', ...conversation }));
    else output.note('The session was reloaded.');
  });
  await signal;
  await view.shutdown();
  return EXIT.done;
}

/** A call is shown with its result. */
function finished(
  block: ConversationBlock,
  calls: Map<string, ConversationBlock>,
): readonly ConversationBlock[] {
  if (block.type === 'tool_use') {
    calls.set(block.toolUseId, block);
    return [];
  }
  const call = block.type === 'tool_result' ? calls.get(block.toolUseId) : undefined;
  return call ? [call, block] : [block];
}
