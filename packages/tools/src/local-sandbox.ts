import {
  readOnlyEnvironment,
  type SandboxRunOptions,
  type ToolSandbox,
} from '@robota-sdk/agent-core';
import type { ConfinementKind, ConfinementState } from './confinement/confinement.ts';
import { findConfinement } from './confinement/find-confinement.ts';
import { readRegularFile } from './files/read-regular-file.ts';
import { writeAtomic } from './files/write-atomic.ts';
import type { RunCommandOptions } from './process/run-command.ts';
import { toolEnvironment } from './tool-environment.ts';

/** `auto`: commands without approval are confined where possible. `on`: every command is confined, or refused. */
export type SandboxSetting = 'auto' | 'on' | 'off';

/** Environment and confinement of commands on this machine. */
export interface LocalSandboxOptions {
  /** Variables for commands in addition to this process's. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** Variables passed to commands although their names look like secrets. */
  readonly passEnvironment?: readonly string[] | undefined;
  readonly confine?: SandboxSetting | undefined;
  /** How to confine commands; detected from the operating system by default. */
  readonly confinement?: (() => Promise<ConfinementState>) | undefined;
  /** The project, writable for confined commands under `confine: 'on'`; the working directory by default. */
  readonly roots?: readonly string[] | undefined;
}

/** Options of this sandbox beyond the port; others ignore them. */
export interface LocalRunOptions extends SandboxRunOptions {
  /** The command was not approved: its environment is cleaned, and it is confined where possible. */
  readonly unasked?: { readonly confine: boolean } | undefined;
}

/** This machine, with the rights of this process where the system does not confine a command. */
export function createLocalSandbox(options: LocalSandboxOptions = {}): ToolSandbox {
  return {
    run: (command, given) => runLocally(command, given, options),
    readFile: readRegularFile,
    writeFile: writeAtomic,
  };
}

async function runLocally(command: string, given: LocalRunOptions, options: LocalSandboxOptions) {
  const { unasked, ...rest } = given;
  const roots = options.roots ?? [given.workingDirectory ?? process.cwd()];
  const own = { ...toolEnvironment(process.env, options.passEnvironment), ...options.env };
  const env = unasked === undefined ? own : readOnlyEnvironment(own, roots);
  const confined = await confinementFor(options, unasked);
  // Loaded with the first command.
  const { runCommand } = await import('./process/run-command.ts');
  return await runCommand(command, { ...rest, env, roots, confined });
}

async function confinementFor(
  { confine: setting = 'auto', confinement = findConfinement }: LocalSandboxOptions,
  unasked: LocalRunOptions['unasked'],
): Promise<RunCommandOptions['confined']> {
  const reading = unasked?.confine === true;
  if (setting === 'off' || (setting === 'auto' && !reading)) return undefined;
  const kind: ConfinementKind = reading ? 'read-only' : 'workspace';
  const state = await confinement();
  if (state.available) return { by: state.confinement, kind };
  if (setting === 'on')
    throw new Error(`The sandbox is on and unavailable, so nothing is run: ${state.reason}`);
  return undefined;
}
