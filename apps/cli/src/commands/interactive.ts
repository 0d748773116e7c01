import { readFileSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { robotaHome, userPaths } from '@robota-sdk/agent-sdk';
import { neutraliseLine, toAgentType } from '@robota-sdk/agent-transcript';
import type { RunArguments } from '../arguments/parse-arguments.ts';
import { EXIT } from '../exit-code.ts';
import { type Output, silentOutput } from '../output.ts';
import type { TerminalChoice, TerminalHost, TerminalSession } from '../terminal/run-terminal.ts';
import { keyOf, type PickerHits } from '../terminal/state/overlay.ts';
import { withCatalogue } from './catalogue.ts';
import { heldSessions } from './held-sessions.ts';
import { openLocally } from './open-locally.ts';
import { toPickable } from './sessions/pickable.ts';
import { giveName } from './sessions/rename.ts';

/** Lets a command open a choice itself; undefined opens it in this process. */
export type OpenChosen = (choice: TerminalChoice) => Promise<TerminalSession> | undefined;

/** `robota` on a terminal. */
export async function runInteractive(
  options: RunArguments,
  output: Output,
  openChosen?: OpenChosen,
): Promise<number> {
  const { runTerminal } = await import('../terminal/run-terminal.ts');
  const cwd = process.cwd();
  const open = async (choice: TerminalChoice, host: TerminalHost) =>
    openChosen?.(choice) ?? openLocally(optionsFor(options, choice), cwd, host);
  await runTerminal({
    cwd,
    version: ownVersion(),
    colors: output.colors,
    prompt: options.prompt,
    historyFile: options.persistence ? join(robotaHome(), 'prompts.jsonl') : undefined,
    startsWithPicker: options.session.kind === 'pick',
    open,
    listSessions: () => listPickable(cwd),
    searchSessions,
    previewSession: async (session) =>
      (await import('./sessions/preview.ts')).previewSession(session),
    renameSession: ({ agent, id }, name) =>
      giveName({ type: toAgentType(agent) ?? agent, id }, name),
    resetSettings: () => setSettingsAside(output),
  });
  return EXIT.done;
}

/** The package version; the relative path is the same for the bundle and the sources. */
function ownVersion(): string {
  const manifest = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  return (JSON.parse(manifest) as { readonly version: string }).version;
}

/** The file is renamed, not deleted, so that the user can restore it. */
async function setSettingsAside(output: Output): Promise<void> {
  const { settings } = userPaths();
  try {
    await rename(settings, `${settings}.bak`);
    output.note(`Settings were moved to ${settings}.bak`);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}

/** A session started from another one inherits neither its id nor its name. */
function optionsFor(options: RunArguments, choice: TerminalChoice): RunArguments {
  const named = { ...options, name: undefined };
  switch (choice.kind) {
    case 'start':
      return options;
    case 'picked': {
      const { session, fork } = choice;
      const reference = session.agent === 'robota' ? session.id : `${session.agent}:${session.id}`;
      return { ...named, agent: undefined, session: { kind: 'reference', reference, fork } };
    }
    case 'copy':
    case 'held': {
      const { id: reference, at } = choice;
      const fork = choice.kind === 'copy';
      return { ...named, session: { kind: 'reference', reference, fork, at } };
    }
    case 'fresh':
      return { ...named, session: { kind: 'new' } };
  }
}

/** Sessions in the picker; older ones are found with `robota search`. */
const MAX_PICKABLE = 5000;

/** From the catalogue, or from the heads of the transcripts while the catalogue is incomplete. */
async function* listPickable(cwd: string) {
  const query = { limit: MAX_PICKABLE };
  yield await withCatalogue({ output: silentOutput(), freshness: 'brief' }, async (catalogue) => {
    const { isComplete } = await catalogue.state();
    const { PlainCatalogue } = await import('./plain-catalogue.ts');
    const [{ sessions }, held] = await Promise.all([
      (isComplete ? catalogue : new PlainCatalogue()).list(query),
      heldSessions(),
    ]);
    const states = new Map(held.map(({ id, state }) => [id, LIVE_SIGNS[state]]));
    return sessions.map((session) => {
      const pickable = toPickable(session, cwd);
      // Our own sessions report their state; for other agents only writes are visible.
      return session.agent === 'robota' ? { ...pickable, live: states.get(session.id) } : pickable;
    });
  });
}

const LIVE_SIGNS = {
  working: 'works',
  waiting: 'needs_you',
  idle: undefined,
  failed: undefined,
} as const;

/** Limit of sessions with hits. */
const MAX_HITS = 200;

/** The first matching line of each session; an incomplete query finds nothing. */
async function searchSessions(text: string): Promise<PickerHits> {
  const query = { text, limit: MAX_HITS, hitsPerSession: 1 };
  const { sessions } = await withCatalogue({ output: silentOutput() }, async (catalogue) => {
    const { isComplete } = await catalogue.state();
    return isComplete ? catalogue.search(query) : { sessions: [] };
  });
  const lines = sessions.flatMap(({ session, hits: [hit] }): [string, string][] =>
    hit ? [[keyOf(session), neutraliseLine(hit.snippet)]] : [],
  );
  return { text, lines: new Map(lines) };
}
