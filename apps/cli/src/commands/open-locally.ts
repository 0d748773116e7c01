import { type BackgroundTask, type LiveSession, listSessionSummaries } from '@robota-sdk/agent-sdk';
import type { RemoteSession } from '@robota-sdk/agent-transport/client';
import type { RunArguments } from '../arguments/parse-arguments.ts';
import type { TerminalHost, TerminalSession } from '../terminal/run-terminal.ts';
import { commandEntries } from './command-entries.ts';
import { heldSessions } from './held-sessions.ts';
import { joinElsewhere } from './join-session.ts';
import { liveOutput } from './live-output.ts';
import { type CommandSession, openCommandSession } from './open-session.ts';
import { askForTrust } from './workspace-trust.ts';

/** Opens the session in this process, where other clients can join it; joins it if another process holds it. */
export async function openLocally(
  options: RunArguments,
  cwd: string,
  host: TerminalHost,
): Promise<TerminalSession> {
  const opened = await openTrusted(options, cwd, host);
  const { session, model, choice, remark } = opened;
  try {
    await session.whenReady();
  } catch (error) {
    await session.shutdown();
    const joined = isLocked(error) ? await joinElsewhere(session.sessionId) : undefined;
    if (joined) return joinedSession(joined, HELD_ELSEWHERE);
    throw error;
  }
  return {
    session,
    model,
    provider: choice?.kind ?? session.agent,
    missingKey: choice?.reason === 'no key found' ? 'demo model, no key found' : undefined,
    found: options.session.kind === 'new' && choice ? await foundToday(cwd) : undefined,
    resumeCommand: options.persistence ? resumeCommandFor(session) : undefined,
    remark,
    commands: () => commandEntries(session),
    ...(options.persistence && announced(session)),
  };
}

/** A session held by a server or another terminal, as shown here. */
export function joinedSession(session: RemoteSession, remark: string): TerminalSession {
  return {
    session,
    model: session.getModel() ?? '',
    provider: session.agent,
    missingKey: undefined,
    found: undefined,
    resumeCommand: undefined,
    remark,
    commands: () => [...commandEntries(session), TAKE_OVER],
    watchConnection(report) {
      session.on('connection', (line) => {
        if (line.state === 'open') report(undefined);
        else report(line.state === 'closed' ? `ended: ${line.reason}` : 'line lost, trying again');
      });
    },
  };
}

const TAKE_OVER = {
  name: 'take-over',
  description: 'Take over this session once the other process has left',
  argumentHint: undefined,
  subcommands: [],
};

const HELD_ELSEWHERE =
  'Another robota process runs this session; both of you see everything and can prompt and answer. /fork continues in a copy; /take-over moves the session here once the other has left.';

async function openTrusted(
  options: RunArguments,
  cwd: string,
  host: TerminalHost,
): Promise<CommandSession> {
  // Other agents handle trust themselves.
  if (options.agent !== undefined && options.agent !== 'robota') {
    return openCommandSession(options, { cwd });
  }
  const trust =
    options.trust || (await askForTrust(cwd, (place, settings) => host.askTrust(place, settings)));
  const extensions = [liveOutput((id, text) => host.showOutput(id, text))];
  return openCommandSession(options, {
    cwd,
    trust,
    extensions,
    onBackgroundTasks: (tasks) => host.showTasks(tasks.filter(isOpen).length),
  });
}

function isOpen({ status }: BackgroundTask): boolean {
  return status === 'queued' || status === 'running';
}

function isLocked(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'session_locked';
}

/** Lets servers, pages, editors and other terminals join; opened after the session is shown. */
function announced(session: LiveSession): Pick<TerminalSession, 'announce' | 'close'> {
  let socket: { close(): Promise<void> } | undefined;
  let isClosed = false;
  return {
    async announce() {
      const { openSessionSocket } = await import('@robota-sdk/agent-transport/run');
      if (isClosed) return;
      socket = await openSessionSocket(session);
      if (isClosed) await socket.close();
    },
    async close() {
      isClosed = true;
      await socket?.close();
    },
  };
}

/** The shell command that resumes the session. */
function resumeCommandFor(session: LiveSession): () => string {
  return () => {
    const reference = session.getName() ?? session.sessionId;
    const isPlain = /^[\w.:@/-]+$/.test(reference);
    const quoted = isPlain ? reference : `'${reference.replaceAll("'", String.raw`'\''`)}'`;
    return session.agent === 'robota'
      ? `robota -r ${quoted}`
      : `robota --agent ${session.agent} -r ${quoted}`;
  };
}

/** `3 sessions here today, 1 waits for you · /resume`; undefined if there are none. */
async function foundToday(cwd: string): Promise<string | undefined> {
  const midnight = new Date().setHours(0, 0, 0, 0);
  const count = listSessionSummaries({ cwd }).filter(
    ({ updatedAt }) => Date.parse(updatedAt) >= midnight,
  ).length;
  if (count === 0) return undefined;
  const held = await heldSessions();
  const waiting = held.filter((each) => each.state === 'waiting' && each.cwd === cwd).length;
  const asks = waiting === 0 ? '' : `, ${waiting} ${waiting === 1 ? 'waits' : 'wait'} for you`;
  return `${count} ${count === 1 ? 'session' : 'sessions'} here today${asks} · /resume`;
}
