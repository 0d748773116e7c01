import type { ParseArgsConfig } from 'node:util';

type FlagTable = NonNullable<ParseArgsConfig['options']>;

/** Flags of `robota` itself; `bin/help.txt` describes each of them. */
export const FLAGS = {
  print: { type: 'boolean', short: 'p' },
  'output-format': { type: 'string' },
  'input-format': { type: 'string' },
  'json-schema': { type: 'string' },
  continue: { type: 'boolean', short: 'c' },
  resume: { type: 'string', short: 'r' },
  'fork-session': { type: 'boolean' },
  'session-id': { type: 'string' },
  name: { type: 'string', short: 'n' },
  agent: { type: 'string' },
  model: { type: 'string' },
  provider: { type: 'string' },
  'base-url': { type: 'string' },
  'permission-mode': { type: 'string' },
  'allowed-tools': { type: 'string', multiple: true },
  'denied-tools': { type: 'string', multiple: true },
  'mcp-config': { type: 'string', multiple: true },
  'add-dir': { type: 'string', multiple: true },
  'max-turns': { type: 'string' },
  'system-prompt': { type: 'string' },
  'append-system-prompt': { type: 'string' },
  language: { type: 'string' },
  'no-session-persistence': { type: 'boolean' },
  sandbox: { type: 'string' },
  trust: { type: 'boolean' },
  verbose: { type: 'boolean' },
  debug: { type: 'boolean' },
  version: { type: 'boolean', short: 'v' },
  help: { type: 'boolean', short: 'h' },
} as const satisfies FlagTable;
