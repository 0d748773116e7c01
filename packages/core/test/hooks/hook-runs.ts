import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { HookDefinition, HookEvent, HookInput, HooksConfig } from '@robota-sdk/agent-core';
import { afterAll } from 'vitest';

/** A directory of its own for one test file. */
export function makeDirectory(): string {
  const directory = realpathSync(mkdtempSync(path.join(tmpdir(), 'robota-hooks-')));
  afterAll(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

export function inputFor(event: HookEvent, more: Partial<HookInput> = {}): HookInput {
  return { session_id: 's1', cwd: tmpdir(), hook_event_name: event, ...more };
}

export function hooksFor(event: HookEvent, ...hooks: readonly HookDefinition[]): HooksConfig {
  return { [event]: [{ hooks }] };
}

/** A command hook that prints this value as JSON. */
export function prints(output: unknown): HookDefinition {
  return { type: 'command', command: `cat <<'END'\n${JSON.stringify(output)}\nEND` };
}
