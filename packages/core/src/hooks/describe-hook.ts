import type { HookDefinition } from './hook.ts';

const LONGEST = 120;

/** A short name of a hook for messages, without secrets that a URL may contain. */
export function describeHook(definition: HookDefinition): string {
  const text = nameOf(definition).replaceAll(/\s+/g, ' ').trim();
  const short = text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
  return `${definition.type} hook ${short}`.trim();
}

function nameOf(definition: HookDefinition): string {
  switch (definition.type) {
    case 'command':
      return [definition.command, ...(definition.args ?? [])].join(' ');
    case 'http':
      return withoutSecrets(definition.url);
    case 'prompt':
      return definition.prompt;
    case 'agent':
      return definition.agent;
    case 'mcp_tool':
      return `${definition.server}/${definition.tool}`;
    case 'function':
      return definition.run.name || 'given in code';
    default:
      return ''; // A type of one's own: its name says all there is to say.
  }
}

function withoutSecrets(address: string): string {
  if (!URL.canParse(address)) return address.split(/[?#]/, 1)[0] ?? '';
  const url = new URL(address);
  return `${url.origin}${url.pathname}`;
}
