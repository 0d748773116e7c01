import { nearestName } from '../nearest-name.ts';
import {
  FOREIGN_HOOK_EVENTS,
  HOOK_EVENTS,
  type HookDefinition,
  type HookEvent,
  type HookGroup,
  type HooksConfig,
} from './hook.ts';
import { type Fields, HookFieldReader, type HooksProblem } from './hook-fields.ts';

/** The hooks read, and the problems found. */
export interface ReadHooks {
  readonly hooks: HooksConfig;
  readonly problems: readonly HooksProblem[];
}

/** Options for reading a hooks configuration. */
export interface ReadHooksOptions {
  /** Types of custom executors, besides the built-in ones. */
  readonly customTypes?: readonly string[] | undefined;
}

/**
 * Reads hooks in Claude Code's format and never throws: an unusable entry is skipped and reported, everything else
 * works. An unusable field drops the hook only if it cannot run without it.
 */
export function readHooksConfig(value: unknown, options: ReadHooksOptions = {}): ReadHooks {
  const reader = new HooksReader(options.customTypes ?? []);
  return { hooks: reader.read(value), problems: reader.problems };
}

const EVENT_FIELDS = [...HOOK_EVENTS, ...FOREIGN_HOOK_EVENTS];
const GROUP_FIELDS = ['matcher', 'hooks', 'env'];
const DEFINITION_FIELDS = [
  'type',
  'timeout',
  'required',
  'if',
  'async',
  'asyncRewake',
  'once',
  'command',
  'args',
  'url',
  'headers',
  'allowedEnvVars',
  'prompt',
  'model',
  'agent',
  'maxTurns',
  'server',
  'tool',
  'input',
  'run',
];

class HooksReader {
  readonly problems: HooksProblem[] = [];
  readonly #customTypes: readonly string[];
  readonly #fields = new HookFieldReader((problem) => this.problems.push(problem));

  constructor(customTypes: readonly string[]) {
    this.#customTypes = customTypes;
  }

  read(value: unknown): HooksConfig {
    if (value === undefined || value === null) return {};
    const events = this.#fields.object(value, 'hooks');
    if (!events) return {};
    const config: Partial<Record<HookEvent, readonly HookGroup[]>> = {};
    for (const [event, groups] of Object.entries(events)) {
      if (groups === null || groups === undefined) continue;
      if (isHookEvent(event)) config[event] = this.#groups(groups, `hooks.${event}`);
      else if (!FOREIGN_HOOK_EVENTS.includes(event)) this.#noticeEvent(event);
    }
    this.#noticeForeign(
      Object.keys(events).filter(
        (event) =>
          FOREIGN_HOOK_EVENTS.includes(event) && (events[event] ?? undefined) !== undefined,
      ),
    );
    return config;
  }

  /** One notice for all of them, because settings may hook every event there is. */
  #noticeForeign(events: readonly string[]): void {
    const fields = events.map((event) => `hooks.${event}`).join(', ');
    if (events.length === 1)
      this.#fields.notice(fields, 'is an event that never happens here, so its hooks never run');
    else if (events.length > 1)
      this.#fields.notice(fields, 'are events that never happen here, so their hooks never run');
  }

  #noticeEvent(event: string): void {
    const field = `hooks.${event}`;
    const meant = nearestName(event, EVENT_FIELDS);
    const hint = meant === undefined ? '' : `; did you mean ${meant}?`;
    this.#fields.notice(field, `is not an event, so its hooks never run${hint}`);
  }

  #groups(value: unknown, path: string): HookGroup[] {
    return (this.#fields.list(value, path) ?? []).flatMap(
      (group, index) => this.#group(group, `${path}[${index}]`) ?? [],
    );
  }

  #group(value: unknown, path: string): HookGroup | undefined {
    const fields = this.#fields.object(value, path);
    if (!fields) return undefined;
    this.#fields.noticeMisspelt(fields, path, GROUP_FIELDS);
    const { matcher } = fields;
    if (matcher !== undefined && matcher !== null && typeof matcher !== 'string') {
      return this.#fields.leaveOut(`${path}.matcher`, 'is not a text');
    }
    if (matcher && !isUsableMatcher(matcher)) {
      this.#fields.notice(`${path}.matcher`, `is not a regular expression: ${matcher}`);
    }
    const definitions = this.#fields.list(fields.hooks, `${path}.hooks`);
    if (!definitions) return undefined;
    const env = this.#fields.optionalTexts(fields, 'env', path);
    return {
      ...(typeof matcher === 'string' && { matcher }),
      hooks: definitions.flatMap(
        (hook, index) => this.#definition(hook, `${path}.hooks[${index}]`) ?? [],
      ),
      ...(env && { env }),
    };
  }

  #definition(value: unknown, path: string): HookDefinition | undefined {
    const fields = this.#fields.object(value, path);
    if (!fields) return undefined;
    const { type } = fields;
    if (typeof type === 'string' && this.#customTypes.includes(type)) {
      // Only the custom executor knows its fields, so they are passed unchecked.
      return { ...fields, ...this.#fields.common(fields, path) } as unknown as HookDefinition;
    }
    this.#fields.noticeMisspelt(fields, path, DEFINITION_FIELDS);
    const own = this.#ownFields(fields, path);
    return own && { ...this.#fields.common(fields, path), ...own };
  }

  #ownFields(fields: Fields, path: string): HookDefinition | undefined {
    switch (fields.type) {
      case 'command':
        return this.#fields.command(fields, path);
      case 'http':
        return this.#fields.http(fields, path);
      case 'prompt':
        return this.#fields.prompt(fields, path);
      case 'agent':
        return this.#fields.agent(fields, path);
      case 'mcp_tool':
        return this.#fields.mcpTool(fields, path);
      case 'function':
        return this.#fields.functionHook(fields, path);
      default:
        return this.#fields.leaveOut(`${path}.type`, `is not one of ${TYPES.join(', ')}`);
    }
  }
}

const TYPES = ['command', 'http', 'prompt', 'agent', 'mcp_tool', 'function'];

function isHookEvent(event: string): event is HookEvent {
  return (HOOK_EVENTS as readonly string[]).includes(event);
}

function isUsableMatcher(matcher: string): boolean {
  if (matcher === '*') return true;
  try {
    return new RegExp(matcher) !== undefined;
  } catch {
    return false;
  }
}
