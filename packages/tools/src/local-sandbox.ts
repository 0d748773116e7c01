import {
  readOnlyEnvironment,
  type SandboxRunOptions,
  type ToolSandbox,
} from '@robota-sdk/agent-core';
import type { ConfinementKind, ConfinementState } from './confinement/confinement.ts';
import { findConfinement } from './confinement/find-confinement.ts';
import { readRegularFile } from './files/read-regular-file.ts';
import { writeAtomic } from './files/write-atomic.ts';
import { type RunCommandOptions, runCommand } from './process/run-command.ts';
import { toolEnvironment } from './tool-environment.ts';

/** `auto`: what nobody approved is held where the system can. `on`: every command is held, or none runs. */
export type SandboxSetting = 'auto' | 'on' | 'off';

/** What commands on this machine see, and what holds them. */
export interface LocalSandboxOptions {
  /** Variables that commands see besides those of this process. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** Variables of this process that commands see although they are named like secrets. */
  readonly passEnvironment?: readonly string[] | undefined;
  readonly confine?: SandboxSetting | undefined;
  /** What can hold commands; the operating system is asked unless given. */
  readonly confinement?: (() => Promise<ConfinementState>) | undefined;
  /** The project: what held commands may write under `confine: 'on'`; the working directory unless given. */
  readonly roots?: readonly string[] | undefined;
}

/** What our own sandbox understands beyond the port; others ignore it. */
export interface LocalRunOptions extends SandboxRunOptions {
  /** Nobody approved the command: its environment is cleaned, and it is held if it can be. */
  readonly unasked?: { readonly confine: boolean } | undefined;
}

/** This machine, with the rights of this process where the system does not hold a command back. */
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
  const held = await holderFor(options, unasked);
  return await runCommand(command, { ...rest, env, roots, held });
}

async function holderFor(
  { confine: setting = 'auto', confinement = findConfinement }: LocalSandboxOptions,
  unasked: LocalRunOptions['unasked'],
): Promise<RunCommandOptions['held']> {
  const reading = unasked?.confine === true;
  if (setting === 'off' || (setting === 'auto' && !reading)) return undefined;
  const kind: ConfinementKind = reading ? 'read-only' : 'workspace';
  const state = await confinement();
  if (state.available) return { by: state.confinement, kind };
  if (setting === 'on')
    throw new Error(`The sandbox is on and unavailable, so nothing is run: ${state.reason}`);
  return undefined;
}
