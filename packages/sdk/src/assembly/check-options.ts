import { HOOK_EVENTS, MissingOptionError } from '@robota-sdk/agent-core';
import type { AssembledSessionOptions } from '../interactive/options.ts';

type Given = Readonly<Record<string, unknown>>;

const WHAT = 'An InteractiveSession';
const EVENTS: readonly string[] = HOOK_EVENTS;
const NUMBERS = [
  'maxTurns',
  'maxBudgetTokens',
  'maxBudgetUsd',
  'maxTokens',
  'temperature',
  'toolConcurrency',
  'contextMaxTokens',
  'providerTimeout',
] as const;
const TEXT_LISTS = ['stopSequences', 'fallbackModels', 'allowedTools', 'deniedTools'] as const;

/**
 * Checks options for JavaScript callers, who have no type checker: throws a `MissingOptionError` that names the first
 * invalid one.
 */
export function assertGivenInCode(options: Partial<AssembledSessionOptions>): void {
  assertList(options.tools, 'tools', {
    expected: 'a tool with a schema and an execute function; createZodFunctionTool makes one',
    fits: (tool) =>
      isRecord(tool) && hasText(tool.schema, 'name') && typeof tool.execute === 'function',
  });
  assertList(options.agents, 'agents', {
    expected: 'an agent with a name, a description and a systemPrompt',
    fits: (agent) => hasText(agent, 'name') && hasText(agent, 'systemPrompt'),
  });
  assertList(options.skills, 'skills', {
    expected: 'a skill with a name and a body',
    fits: (skill) => hasText(skill, 'name') && hasText(skill, 'body'),
  });
  assertList(options.plugins, 'plugins', {
    expected: 'a plugin with a manifest that has a name',
    fits: (plugin) => isRecord(plugin) && hasText(plugin.manifest, 'name'),
  });
  assertHooks(options.hooks);
  const { permissionHandler } = options;
  if (permissionHandler !== undefined && typeof permissionHandler !== 'function') {
    throw new MissingOptionError(WHAT, 'permissionHandler', 'a function');
  }
  for (const name of NUMBERS) assertNumber(options[name], name);
  for (const name of TEXT_LISTS) {
    assertList(options[name], name, {
      of: 'texts',
      expected: 'a text',
      fits: (each) => typeof each === 'string',
    });
  }
}

function assertList(
  given: unknown,
  name: string,
  {
    of = name,
    expected,
    fits,
  }: { readonly of?: string; readonly expected: string; fits(each: unknown): boolean },
): void {
  if (given === undefined) return;
  if (!Array.isArray(given)) throw new MissingOptionError(WHAT, name, `a list of ${of}`);
  given.forEach((each, index) => {
    if (!fits(each)) {
      throw new MissingOptionError(WHAT, `${name}[${index}]`, expected);
    }
  });
}

/** A hook is a function, `{ matcher, run }`, or a group as in settings. */
function assertHooks(hooks: unknown): void {
  if (hooks === undefined) return;
  if (!isRecord(hooks)) throw new MissingOptionError(WHAT, 'hooks', 'lists of hooks by event');
  for (const [event, given] of Object.entries(hooks)) {
    const name = `hooks.${event}`;
    if (!EVENTS.includes(event)) {
      throw new MissingOptionError(WHAT, name, `one of the events ${EVENTS.join(', ')}`);
    }
    if (given === undefined) continue;
    if (!Array.isArray(given)) throw new MissingOptionError(WHAT, name, 'a list of hooks');
    given.forEach((hook, index) => {
      if (typeof hook === 'function' || isHookRecord(hook)) return;
      const expected = 'a function, or an object with a run function or a list of hooks';
      throw new MissingOptionError(WHAT, `${name}[${index}]`, expected);
    });
  }
}

function isHookRecord(hook: unknown): boolean {
  return isRecord(hook) && (typeof hook.run === 'function' || Array.isArray(hook.hooks));
}

function assertNumber(given: unknown, name: string): void {
  if (given === undefined) return;
  if (typeof given !== 'number' || !(given >= 0)) {
    throw new MissingOptionError(WHAT, name, 'a number, zero or more');
  }
}

function hasText(value: unknown, name: string): boolean {
  return isRecord(value) && typeof value[name] === 'string';
}

function isRecord(value: unknown): value is Given {
  return (typeof value === 'object' || typeof value === 'function') && value !== null;
}
