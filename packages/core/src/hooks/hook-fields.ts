import { nearestName } from '../nearest-name.ts';
import type { HookDefinition, HookFunction } from './hook.ts';

/** A problem in a hook configuration. */
export interface HooksProblem {
  /** Dotted, such as `hooks.PreToolUse[0].matcher`. */
  readonly field: string;
  readonly problem: string;
  /** True if the entry or field is ignored; otherwise everything works as written. */
  readonly isLeftOut: boolean;
}

export type Fields = Readonly<Record<string, unknown>>;
type HookOf<Type extends HookDefinition['type']> = Extract<HookDefinition, { type: Type }>;

/** Reads the fields of hooks. Invalid ones become undefined and are reported. */
export class HookFieldReader {
  readonly #report: (problem: HooksProblem) => void;

  constructor(report: (problem: HooksProblem) => void) {
    this.#report = report;
  }

  leaveOut(field: string, problem: string): undefined {
    this.#report({ field, problem, isLeftOut: true });
  }

  notice(field: string, problem: string): void {
    this.#report({ field, problem, isLeftOut: false });
  }

  noticeMisspelt(fields: Fields, path: string, known: readonly string[]): void {
    for (const name of Object.keys(fields)) {
      const meant = nearestName(name, known);
      if (meant === undefined || Object.hasOwn(fields, meant)) continue;
      this.notice(`${path}.${name}`, `is not a field; did you mean ${meant}?`);
    }
  }

  object(value: unknown, path: string): Fields | undefined {
    if (isObject(value)) return value;
    return this.leaveOut(path, 'is not an object');
  }

  list(value: unknown, path: string): readonly unknown[] | undefined {
    return Array.isArray(value) ? value : this.leaveOut(path, 'is not a list');
  }

  optionalTexts(
    fields: Fields,
    name: string,
    path: string,
  ): Readonly<Record<string, string>> | undefined {
    const value = fields[name];
    if (value === undefined || value === null) return undefined;
    const entries = this.object(value, `${path}.${name}`);
    if (!entries) return undefined;
    return Object.fromEntries(Object.entries(entries).map(([key, item]) => [key, String(item)]));
  }

  /** Fields of every hook type. Only an invalid field is dropped: the hook itself must keep guarding. */
  common(fields: Fields, path: string) {
    const timeout = this.#timeout(fields.timeout, path);
    const required = this.#flag(fields, 'required', path);
    const condition = this.#optionalText(fields, 'if', path);
    // Claude Code may wake the model when such a hook ends; here it only runs in the background.
    const isAsync = fields.asyncRewake === true || this.#flag(fields, 'async', path);
    const once = this.#flag(fields, 'once', path);
    return {
      ...(timeout !== undefined && { timeout }),
      ...(required !== undefined && { required }),
      ...(condition !== undefined && { if: condition }),
      ...(isAsync !== undefined && { async: isAsync }),
      ...(once !== undefined && { once }),
    };
  }

  command(fields: Fields, path: string): HookOf<'command'> | undefined {
    const command = this.#text(fields, 'command', path);
    if (command === undefined) return undefined;
    if (fields.args === undefined || fields.args === null) return { type: 'command', command };
    const args = this.list(fields.args, `${path}.args`);
    return args && { type: 'command', command, args: args.map(String) };
  }

  http(fields: Fields, path: string): HookOf<'http'> | undefined {
    const url = this.#text(fields, 'url', path);
    if (url === undefined) return undefined;
    if (!URL.canParse(url)) return this.leaveOut(`${path}.url`, 'is not a URL');
    const headers = this.optionalTexts(fields, 'headers', path);
    const allowed = fields.allowedEnvVars ?? undefined;
    const allowedEnvVars =
      allowed === undefined ? undefined : this.list(allowed, `${path}.allowedEnvVars`);
    return {
      type: 'http',
      url,
      ...(headers && { headers }),
      ...(allowedEnvVars && { allowedEnvVars: allowedEnvVars.map(String) }),
    };
  }

  prompt(fields: Fields, path: string): HookOf<'prompt'> | undefined {
    const prompt = this.#text(fields, 'prompt', path);
    if (prompt === undefined) return undefined;
    const model = this.#optionalText(fields, 'model', path);
    return { type: 'prompt', prompt, ...(model !== undefined && { model }) };
  }

  /** Claude Code writes an agent's instruction as `prompt`. */
  agent(fields: Fields, path: string): HookOf<'agent'> | undefined {
    const agent = this.#text(fields, fields.agent === undefined ? 'prompt' : 'agent', path);
    if (agent === undefined) return undefined;
    const turns = fields.maxTurns ?? undefined;
    if (turns === undefined) return { type: 'agent', agent };
    if (isPositive(turns)) return { type: 'agent', agent, maxTurns: turns };
    this.leaveOut(`${path}.maxTurns`, 'is not a positive number');
    return { type: 'agent', agent };
  }

  mcpTool(fields: Fields, path: string): HookOf<'mcp_tool'> | undefined {
    const server = this.#text(fields, 'server', path);
    const tool = this.#text(fields, 'tool', path);
    if (server === undefined || tool === undefined) return undefined;
    const given = fields.input ?? undefined;
    const input = given === undefined ? undefined : this.object(given, `${path}.input`);
    if (given !== undefined && !input) return undefined;
    return { type: 'mcp_tool', server, tool, ...(input && { input }) };
  }

  functionHook(fields: Fields, path: string): HookOf<'function'> | undefined {
    const { run } = fields;
    if (typeof run !== 'function') return this.leaveOut(`${path}.run`, 'is not a function');
    return { type: 'function', run: run as HookFunction }; // Its parameters cannot be seen at run time.
  }

  #text(fields: Fields, name: string, path: string): string | undefined {
    const value = fields[name];
    if (typeof value === 'string' && value.trim() !== '') return value;
    return this.leaveOut(`${path}.${name}`, 'is missing or not a text');
  }

  #optionalText(fields: Fields, name: string, path: string): string | undefined {
    const value = fields[name] ?? undefined;
    if (value === undefined || typeof value === 'string') return value;
    return this.leaveOut(`${path}.${name}`, 'is not a text');
  }

  /** Accepts a number written as text. */
  #timeout(value: unknown, path: string): number | undefined {
    if (value === undefined || value === null) return undefined;
    const seconds = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
    if (isPositive(seconds)) return seconds;
    return this.leaveOut(`${path}.timeout`, 'is not a positive number of seconds');
  }

  #flag(fields: Fields, name: string, path: string): boolean | undefined {
    const value = fields[name] ?? undefined;
    if (value === undefined || typeof value === 'boolean') return value;
    return this.leaveOut(`${path}.${name}`, 'is not true or false');
  }
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isPositive(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value > 0;
}
