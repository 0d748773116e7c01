import { resolve } from 'node:path';
import type { PermissionMode } from '@robota-sdk/agent-core';
import type { McpServerSetting } from '@robota-sdk/agent-sdk';
import { UsageError } from '../usage-error.ts';
import { inOurSpelling } from './claude-spellings.ts';
import { FLAGS } from './flags.ts';
import { type FlagValues, fillEmptyValues, readCount, readFlags } from './read-flags.ts';
import { readMcpConfigs } from './read-mcp-config.ts';

type OutputFormat = 'text' | 'json' | 'stream-json';
type InputFormat = 'text' | 'stream-json';

/** Which session a prompt belongs to. */
export type SessionChoice =
  | { readonly kind: 'new'; readonly sessionId?: string }
  | { readonly kind: 'latest'; readonly fork: boolean }
  | {
      readonly kind: 'reference';
      readonly reference: string;
      readonly fork: boolean;
      /** The last block of a fork; defaults to the end. */
      readonly at?: string | undefined;
    }
  | { readonly kind: 'pick'; readonly fork: boolean };

/** The validated command line. */
export interface RunArguments {
  readonly prompt: string | undefined;
  readonly print: boolean;
  readonly outputFormat: OutputFormat;
  readonly inputFormat: InputFormat;
  /** A JSON schema, or the path of a schema file. */
  readonly jsonSchema: string | undefined;
  readonly session: SessionChoice;
  readonly name: string | undefined;
  /** Name of the agent; defaults to our own engine. */
  readonly agent: string | undefined;
  readonly model: string | undefined;
  readonly provider: string | undefined;
  readonly baseUrl: string | undefined;
  readonly permissionMode: PermissionMode | undefined;
  readonly allowedTools: readonly string[];
  readonly deniedTools: readonly string[];
  readonly mcpServers: Readonly<Record<string, McpServerSetting>> | undefined;
  readonly additionalDirectories: readonly string[];
  readonly maxTurns: number | undefined;
  readonly systemPrompt: string | undefined;
  readonly appendSystemPrompt: string | undefined;
  readonly language: string | undefined;
  readonly sandbox: 'on' | 'auto' | 'off' | undefined;
  readonly persistence: boolean;
  readonly trust: boolean;
  readonly verbose: boolean;
  readonly debug: boolean;
}

const OUTPUT_FORMATS = ['text', 'json', 'stream-json'] as const;
const INPUT_FORMATS = ['text', 'stream-json'] as const;
const SANDBOXES = ['on', 'auto', 'off'] as const;
const MODES = ['plan', 'default', 'acceptEdits', 'bypassPermissions'] as const;
const SESSION_ID = /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/;

export function parseArguments(argv: readonly string[]): RunArguments {
  const { values, positionals } = readFlags(
    fillEmptyValues(inOurSpelling(argv), ['-r', '--resume']),
    FLAGS,
  );
  const print = values.print === true;
  const inputFormat = oneOf('--input-format', values['input-format'], INPUT_FORMATS) ?? 'text';
  const outputFormat = oneOf('--output-format', values['output-format'], OUTPUT_FORMATS) ?? 'text';
  refuseContradictions(values);
  return {
    prompt: positionals.length > 0 ? positionals.join(' ') : undefined,
    print,
    outputFormat,
    inputFormat,
    jsonSchema: values['json-schema'],
    session: sessionChoice(values),
    name: values.name,
    agent: values.agent,
    model: values.model,
    provider: values.provider,
    baseUrl: values['base-url'],
    permissionMode: oneOf('--permission-mode', values['permission-mode'], MODES),
    allowedTools: (values['allowed-tools'] ?? []).flatMap(splitRules),
    deniedTools: (values['denied-tools'] ?? []).flatMap(splitRules),
    mcpServers: readMcpConfigs(values['mcp-config'] ?? []),
    additionalDirectories: (values['add-dir'] ?? []).map((path) => resolve(path)),
    maxTurns: readCount('--max-turns', values['max-turns']),
    systemPrompt: values['system-prompt'],
    appendSystemPrompt: values['append-system-prompt'],
    language: values.language,
    sandbox: oneOf('--sandbox', values.sandbox, SANDBOXES),
    persistence: values['no-session-persistence'] !== true,
    trust: values.trust === true,
    verbose: values.verbose === true,
    debug: values.debug === true,
  };
}

/** Splits at commas and blanks outside parentheses: `Read,Bash(git log, --oneline)` has two rules. */
export function splitRules(text: string): string[] {
  const rules: string[] = [];
  let depth = 0;
  let rule = '';
  for (const character of text) {
    if (character === '(') depth += 1;
    if (character === ')') depth -= 1;
    if (/[,\s]/.test(character) && depth <= 0) {
      rules.push(rule);
      rule = '';
    } else rule += character;
  }
  return [...rules, rule].map((item) => item.trim()).filter((item) => item !== '');
}

type Values = FlagValues<typeof FLAGS>;

function sessionChoice(values: Values): SessionChoice {
  const fork = values['fork-session'] === true;
  const sessionId = values['session-id'];
  if (sessionId !== undefined && !SESSION_ID.test(sessionId)) {
    throw new UsageError(
      `Invalid --session-id "${sessionId}". Use letters, digits, ".", "_" and "-", at most 128.`,
    );
  }
  if (values.resume !== undefined) {
    return values.resume === ''
      ? { kind: 'pick', fork }
      : { kind: 'reference', reference: values.resume, fork };
  }
  if (values.continue) return { kind: 'latest', fork };
  return { kind: 'new', ...(sessionId === undefined ? {} : { sessionId }) };
}

/** Refuses combinations of flags that make no sense. */
function refuseContradictions(values: Values): void {
  const comesBack = values.continue === true || values.resume !== undefined;
  const isStreamIn = values['input-format'] === 'stream-json';
  const hasFormat = values['output-format'] !== undefined || values['input-format'] !== undefined;
  const contradictions: readonly (readonly [boolean | undefined, string])[] = [
    [values.continue && values.resume !== undefined, '--continue and --resume exclude each other.'],
    [values['fork-session'] && !comesBack, '--fork-session needs --continue or --resume.'],
    [
      values['session-id'] !== undefined && comesBack,
      '--session-id is for new sessions; it excludes --continue and --resume.',
    ],
    [
      comesBack && values['no-session-persistence'],
      '--no-session-persistence excludes --continue and --resume.',
    ],
    [!values.print && hasFormat, '--output-format and --input-format need -p.'],
    [
      isStreamIn && values['output-format'] !== 'stream-json',
      '--input-format stream-json needs --output-format stream-json.',
    ],
    [values['json-schema'] !== undefined && !values.print, '--json-schema needs -p.'],
    [
      values['json-schema'] !== undefined && isStreamIn,
      '--json-schema asks for one answer; it excludes --input-format stream-json.',
    ],
    [values.print && values.resume === '', 'With -p, --resume needs a session id or name.'],
  ];
  const met = contradictions.find(([isMet]) => isMet === true);
  if (met) throw new UsageError(met[1]);
}

function oneOf<Value extends string>(
  flag: string,
  value: string | undefined,
  valid: readonly Value[],
): Value | undefined {
  if (value === undefined) return undefined;
  const found = valid.find((candidate) => candidate === value);
  if (found === undefined)
    throw new UsageError(`Invalid ${flag} "${value}". Valid: ${valid.join(' | ')}`);
  return found;
}
