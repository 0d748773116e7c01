import type { BackgroundTask, CommandResult } from '@robota-sdk/agent-sdk';
import type { ChoiceItem } from './state/overlay.ts';
import { formatTokens } from './views/format.ts';

interface Choices {
  readonly title: string;
  readonly items: readonly ChoiceItem[];
}

/** A command result that contains a list, as selectable items; undefined for other results. */
export function choicesOf(
  name: string,
  { success, data = {} }: CommandResult,
): Choices | undefined {
  const list = LISTS[name];
  if (!success || !list || !Array.isArray(data[list.field])) return undefined;
  return list.read(data as never);
}

const command = (name: string, args: string) => ({ kind: 'command', name, args }) as const;

interface CommandList {
  readonly field: string;
  read(data: never): Choices;
}

/** The data field that holds the list, by command: other commands use the same field names for other data. */
const LISTS: Readonly<Record<string, CommandList>> = {
  model: { field: 'models', read: modelChoices },
  permissions: { field: 'rules', read: ruleChoices },
  mcp: { field: 'servers', read: serverChoices },
  agents: { field: 'agents', read: agentChoices },
  background: { field: 'tasks', read: taskChoices },
};

interface ModelsData {
  readonly current: string | undefined;
  readonly models: readonly {
    readonly id: string;
    readonly contextWindow: number;
    readonly inputUsd: number | null;
    readonly outputUsd: number | null;
  }[];
}

function modelChoices({ models, current }: ModelsData): Choices {
  const items = models.map(({ id, contextWindow, inputUsd, outputUsd }) => {
    const isPriced = inputUsd !== null && outputUsd !== null;
    const price = isPriced ? `$${inputUsd} in, $${outputUsd} out per million` : 'price unknown';
    return {
      label: `${id === current ? '● ' : '  '}${id}`,
      detail: `${formatTokens(contextWindow)} window · ${price}`,
      choose: command('model', id),
    };
  });
  return { title: 'Model', items };
}

interface RulesData {
  readonly mode: string;
  readonly rules: readonly {
    readonly list: string;
    readonly rule: string;
    readonly layer: string;
    readonly isRemovable: boolean;
  }[];
}

function ruleChoices({ rules, mode }: RulesData): Choices {
  const items = rules.map(({ list, rule, layer, isRemovable }) => ({
    label: `${list} ${rule}`,
    detail: layer,
    choose: undefined,
    remove: isRemovable ? command('permissions', `remove ${rule}`) : undefined,
  }));
  return { title: `Permission rules, mode ${mode}`, items };
}

interface ServersData {
  readonly servers: readonly {
    readonly name: string;
    readonly state: string;
    readonly tools: readonly string[];
    readonly problem?: string;
  }[];
}

function serverChoices({ servers }: ServersData): Choices {
  const items = servers.map(({ name, state, tools, problem }) => ({
    label: name,
    detail: problem ?? `${state}, ${tools.length} tools · enter connects anew`,
    choose: command('mcp', `reconnect ${name}`),
    remove: command('mcp', `remove ${name}`),
  }));
  return { title: 'MCP servers', items };
}

interface AgentsData {
  readonly agents: readonly { readonly name: string; readonly description: string }[];
}

function agentChoices({ agents }: AgentsData): Choices {
  const items = agents.map(({ name, description }) => ({
    label: name,
    detail: description,
    choose: { kind: 'draft', text: `Use the agent ${name} to ` } as const,
  }));
  return { title: 'Agents', items };
}

function taskChoices({ tasks }: { readonly tasks: readonly BackgroundTask[] }): Choices {
  const items = tasks.map(({ id, label, status, exitCode }) => {
    const isOpen = status === 'running' || status === 'queued';
    return {
      label: `${id} ${label}`,
      detail: `${status}${typeof exitCode === 'number' ? `, exit ${exitCode}` : ''}`,
      choose: command('background', `read ${id}`),
      remove: isOpen ? command('background', `cancel ${id}`) : undefined,
    };
  });
  return { title: 'Background', items };
}
