import {
  HOOK_EVENTS,
  type HookDefinition,
  type HookEvent,
  type HookFunction,
  type HookGroup,
  type HooksConfig,
} from './hook.ts';

/**
 * Reads hooks as Claude Code writes them. Events and fields that are not ours are left out; anything that
 * would silently lose one of our hooks is an error that names the source and the field.
 */
export function parseHooksConfig(value: unknown, source: string): HooksConfig {
  if (value === undefined || value === null) return {};
  const events = objectAt(value, { source, path: 'hooks' });
  const config: Partial<Record<HookEvent, readonly HookGroup[]>> = {};
  for (const event of HOOK_EVENTS) {
    if (events[event] === undefined) continue;
    config[event] = listAt(events[event], { source, path: `hooks.${event}` }).map((group, index) =>
      parseGroup(group, { source, path: `hooks.${event}[${index}]` }),
    );
  }
  return config;
}

/** Where in which file a value stands. */
interface Place {
  readonly source: string;
  readonly path: string;
}

type Fields = Readonly<Record<string, unknown>>;

function parseGroup(value: unknown, place: Place): HookGroup {
  const fields = objectAt(value, place);
  const matcher = optionalText(fields, 'matcher', place);
  const env = optionalTexts(fields, 'env', place);
  return {
    ...(matcher === undefined ? {} : { matcher }),
    hooks: listAt(fields.hooks, inside(place, 'hooks')).map((hook, index) =>
      parseDefinition(hook, inside(place, `hooks[${index}]`)),
    ),
    ...(env === undefined ? {} : { env }),
  };
}

function parseDefinition(value: unknown, place: Place): HookDefinition {
  const fields = objectAt(value, place);
  const limits = { ...parseTimeout(fields, place), ...parseRequired(fields, place) };
  switch (fields.type) {
    case 'command':
      return { ...limits, type: 'command', command: textAt(fields, 'command', place) };
    case 'http':
      return { ...limits, ...parseHttp(fields, place) };
    case 'prompt':
      return { ...limits, ...parsePrompt(fields, place) };
    case 'agent':
      return { ...limits, ...parseAgent(fields, place) };
    case 'function':
      return { ...limits, type: 'function', run: functionAt(fields, place) };
    default:
      return fail(inside(place, 'type'), 'is not one of command, http, prompt, agent, function');
  }
}

function parseHttp(fields: Fields, place: Place): Extract<HookDefinition, { type: 'http' }> {
  const url = textAt(fields, 'url', place);
  if (!URL.canParse(url)) fail(inside(place, 'url'), 'is not a URL');
  const headers = optionalTexts(fields, 'headers', place);
  const allowed = fields.allowedEnvVars;
  return {
    type: 'http',
    url,
    ...(headers === undefined ? {} : { headers }),
    ...(allowed === undefined
      ? {}
      : { allowedEnvVars: listAt(allowed, inside(place, 'allowedEnvVars')).map(String) }),
  };
}

function parsePrompt(fields: Fields, place: Place): Extract<HookDefinition, { type: 'prompt' }> {
  const model = optionalText(fields, 'model', place);
  const prompt = textAt(fields, 'prompt', place);
  return { type: 'prompt', prompt, ...(model === undefined ? {} : { model }) };
}

/** Claude Code writes an agent's instruction as `prompt`. */
function parseAgent(fields: Fields, place: Place): Extract<HookDefinition, { type: 'agent' }> {
  const agent = textAt(fields, fields.agent === undefined ? 'prompt' : 'agent', place);
  const turns = fields.maxTurns;
  if (turns === undefined) return { type: 'agent', agent };
  if (!isPositive(turns)) fail(inside(place, 'maxTurns'), 'is not a positive number');
  return { type: 'agent', agent, maxTurns: Number(turns) };
}

function parseTimeout(fields: Fields, place: Place): { readonly timeout?: number } {
  const timeout = fields.timeout;
  if (timeout === undefined) return {};
  if (!isPositive(timeout)) fail(inside(place, 'timeout'), 'is not a positive number of seconds');
  return { timeout: Number(timeout) };
}

function parseRequired(fields: Fields, place: Place): { readonly required?: boolean } {
  const required = fields.required;
  if (required === undefined) return {};
  if (typeof required !== 'boolean') return fail(inside(place, 'required'), 'is not true or false');
  return { required };
}

function isPositive(value: unknown): boolean {
  return typeof value === 'number' && Number.isFinite(value) && value > 0;
}

function functionAt(fields: Fields, place: Place): HookFunction {
  const run = fields.run;
  if (typeof run !== 'function') return fail(inside(place, 'run'), 'is not a function');
  return run as HookFunction; // Its parameters cannot be seen at run time.
}

function textAt(fields: Fields, name: string, place: Place): string {
  const value = fields[name];
  if (typeof value === 'string' && value.trim() !== '') return value;
  return fail(inside(place, name), 'is missing or not a text');
}

function optionalText(fields: Fields, name: string, place: Place): string | undefined {
  const value = fields[name];
  if (value === undefined || typeof value === 'string') return value;
  return fail(inside(place, name), 'is not a text');
}

function optionalTexts(
  fields: Fields,
  name: string,
  place: Place,
): Readonly<Record<string, string>> | undefined {
  if (fields[name] === undefined) return undefined;
  const entries = Object.entries(objectAt(fields[name], inside(place, name)));
  return Object.fromEntries(entries.map(([key, value]) => [key, String(value)]));
}

function objectAt(value: unknown, place: Place): Fields {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Fields;
  return fail(place, 'is not an object');
}

function listAt(value: unknown, place: Place): readonly unknown[] {
  return Array.isArray(value) ? value : fail(place, 'is not a list');
}

function inside(place: Place, name: string): Place {
  return { source: place.source, path: `${place.path}.${name}` };
}

function fail(place: Place, problem: string): never {
  throw new Error(`Cannot read hooks from ${place.source}: ${place.path} ${problem}`);
}
