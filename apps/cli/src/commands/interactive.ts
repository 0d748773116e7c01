import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { robotaHome, userPaths } from '@robota-sdk/agent-sdk';
import type { RunArguments } from '../arguments/parse-arguments.ts';
import { EXIT } from '../exit-code.ts';
import type { Output } from '../output.ts';
import type { AskTrust, TerminalChoice, TerminalSession } from '../terminal/run-terminal.tsx';
import { greeting } from './greeting.ts';
import { openSession } from './open-session.ts';
import { resumeElsewhere } from './resume-elsewhere.ts';
import { findSession, findSessions } from './sessions/find-sessions.ts';
import { toPickable } from './sessions/pickable.ts';
import { askForTrust } from './workspace-trust.ts';

/** `robota` on a terminal. */
export async function runInteractive(options: RunArguments, output: Output): Promise<number> {
  const { runTerminal } = await import('../terminal/run-terminal.tsx');
  const cwd = process.cwd();
  const end = await runTerminal({
    cwd,
    colors: output.colors,
    prompt: options.prompt,
    historyFile: options.persistence ? join(robotaHome(), 'prompts.jsonl') : undefined,
    startsWithPicker: options.session.kind === 'pick',
    open: (choice, askTrust) => open(options, { cwd, choice, askTrust }),
    listSessions: () => listPickable(cwd),
    resetSettings: () => setSettingsAside(output),
  });
  if (end.kind === 'left') return EXIT.done;
  return resumeElsewhere(await findSession(end.session.id), [], output);
}

/** The file is renamed, not deleted: what a person wrote can be had back. */
async function setSettingsAside(output: Output): Promise<void> {
  const { settings } = userPaths();
  try {
    await rename(settings, `${settings}.bak`);
    output.note(`Settings were moved to ${settings}.bak`);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}

async function open(
  options: RunArguments,
  {
    cwd,
    choice,
    askTrust,
  }: { cwd: string; choice: TerminalChoice | undefined; askTrust: AskTrust },
): Promise<TerminalSession> {
  const trust = options.trust || (await askForTrust(cwd, askTrust));
  const wanted: RunArguments = choice
    ? {
        ...options,
        session: { kind: 'reference', reference: choice.session.id, fork: choice.fork },
      }
    : options;
  const { session, model, choice: provider } = await openSession(wanted, { cwd, trust });
  const isFirst = choice === undefined && options.session.kind === 'new';
  return {
    session,
    model,
    provider: provider.kind,
    greeting: isFirst ? await greeting(provider) : undefined,
  };
}

async function* listPickable(cwd: string) {
  for await (const sessions of findSessions({ cwd: undefined, agents: undefined })) {
    yield sessions.map((session) => toPickable(session, cwd));
  }
}
