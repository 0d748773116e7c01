import { readFileSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { listSessionSummaries, robotaHome, userPaths } from '@robota-sdk/agent-sdk';
import { toAgentType } from '@robota-sdk/agent-transcript';
import type { RunArguments } from '../arguments/parse-arguments.ts';
import { EXIT } from '../exit-code.ts';
import { createOutput, type Output } from '../output.ts';
import type { TerminalChoice, TerminalHost, TerminalSession } from '../terminal/run-terminal.tsx';
import { withCatalogue } from './catalogue.ts';
import { commandEntries } from './command-entries.ts';
import { findSession } from './find-session.ts';
import { liveOutput } from './live-output.ts';
import { openSession } from './open-session.ts';
import { resumeElsewhere } from './resume-elsewhere.ts';
import { toPickable } from './sessions/pickable.ts';
import { giveName } from './sessions/rename.ts';
import { askForTrust } from './workspace-trust.ts';

/** `robota` on a terminal. */
export async function runInteractive(options: RunArguments, output: Output): Promise<number> {
  const { runTerminal } = await import('../terminal/run-terminal.tsx');
  const cwd = process.cwd();
  const end = await runTerminal({
    cwd,
    version: ownVersion(),
    colors: output.colors,
    prompt: options.prompt,
    historyFile: options.persistence ? join(robotaHome(), 'prompts.jsonl') : undefined,
    startsWithPicker: options.session.kind === 'pick',
    isKept: options.persistence,
    open: (choice, host) => open(optionsFor(options, choice), cwd, host),
    listSessions: () => listPickable(cwd),
    renameSession: ({ agent, id }, name) =>
      giveName({ type: toAgentType(agent) ?? agent, id }, name),
    resetSettings: () => setSettingsAside(output),
  });
  if (end.kind === 'left') return EXIT.done;
  return resumeElsewhere(
    await findSession(`${end.session.agent}:${end.session.id}`, output),
    [],
    output,
  );
}

/** The package's own version; the bundle and the sources are equally far from its manifest. */
function ownVersion(): string {
  const manifest = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  return (JSON.parse(manifest) as { readonly version: string }).version;
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

/** A new session begun from another one takes neither its id nor its name. */
function optionsFor(options: RunArguments, choice: TerminalChoice): RunArguments {
  switch (choice.kind) {
    case 'start':
      return options;
    case 'picked': {
      const { session, fork } = choice;
      return { ...options, session: { kind: 'reference', reference: session.id, fork } };
    }
    case 'fresh':
      return { ...options, name: undefined, session: { kind: 'new' } };
  }
}

async function open(
  options: RunArguments,
  cwd: string,
  host: TerminalHost,
): Promise<TerminalSession> {
  const trust =
    options.trust || (await askForTrust(cwd, (place, wishes) => host.askTrust(place, wishes)));
  const extensions = [liveOutput((id, text) => host.showOutput(id, text))];
  const { session, model, choice } = await openSession(options, { cwd, trust, extensions });
  return {
    session,
    model,
    provider: choice.kind,
    missingKey: choice.reason === 'no key found' ? 'demo model, no key found' : undefined,
    found: options.session.kind === 'new' ? foundToday(cwd) : undefined,
    commands: () => commandEntries(session),
  };
}

/** `3 sessions here today · /resume`; nothing where there are none. */
function foundToday(cwd: string): string | undefined {
  const midnight = new Date().setHours(0, 0, 0, 0);
  const count = listSessionSummaries({ cwd }).filter(
    ({ updatedAt }) => Date.parse(updatedAt) >= midnight,
  ).length;
  if (count === 0) return undefined;
  return `${count} ${count === 1 ? 'session' : 'sessions'} here today · /resume`;
}

/** So many are in reach of somebody who scrolls or types; older ones are found by `robota search`. */
const MOST_PICKABLE = 5000;

/** From the catalogue; while that is not complete, from the heads of the transcripts, and the next list goes on with it. */
async function* listPickable(cwd: string) {
  const query = { limit: MOST_PICKABLE };
  yield await withCatalogue({ output: silent(), freshness: 'brief' }, async (catalogue) => {
    const { isComplete } = await catalogue.state();
    const { PlainCatalogue } = await import('./plain-catalogue.ts');
    const { sessions } = await (isComplete ? catalogue : new PlainCatalogue()).list(query);
    return sessions.map((session) => toPickable(session, cwd));
  });
}

/** The screen belongs to the terminal: nothing else may write on it. */
function silent(): Output {
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  return createOutput(nowhere, nowhere);
}
