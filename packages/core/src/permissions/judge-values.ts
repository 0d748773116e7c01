import type { ToolParameters } from '../tool.ts';
import type { CallContext } from './call-context.ts';
import type { Finding, Judgement } from './judgement.ts';
import { memoize } from './memoize.ts';
import type { RuleSet } from './rule-set.ts';
import { matchesWildcard } from './wildcard.ts';

/** Checks tools that take neither a command nor a file: web, agents, skills, MCP and unknown tools. */
export function judgeValues(tool: string, args: ToolParameters, context: CallContext): Judgement {
  const denied = find(context.deny, tool, (spec) => fitsStrictly(tool, args, spec));
  const asked = find(context.ask, tool, (spec) => fitsStrictly(tool, args, spec));
  const allowed = find(context.allow, tool, (spec) => fitsForAllow(tool, args, spec));
  return {
    ...(denied === undefined ? {} : { denied }),
    ...(asked === undefined ? {} : { asked }),
    ...(allowed === undefined ? {} : { allowed }),
    suggestion: suggest(tool, args),
  };
}

function find(set: RuleSet, tool: string, fits: (spec: string) => boolean): Finding | undefined {
  const rule = set.everyCall(tool) ?? set.specific(tool).find((each) => fits(each.spec ?? ''));
  return rule === undefined ? undefined : { rule };
}

/** The parameters that a specifier matches, by tool. */
const PRIMARY: ReadonlyMap<string, readonly string[]> = new Map([
  ['Agent', ['subagentType', 'agentType', 'agent', 'type']],
  ['Task', ['subagentType', 'agentType', 'agent', 'type']],
  ['Skill', ['skill', 'name', 'skillName', 'command']],
  ['WebFetch', ['url']],
  ['WebSearch', ['query']],
]);

function fitsStrictly(tool: string, args: ToolParameters, spec: string): boolean {
  const agents = agentTypes(tool, args);
  if (agents.some((type) => fitsText(spec, type))) return true;
  const host = hostOf(tool, args);
  const domain = domainOf(spec)?.host;
  if (domain !== undefined) {
    return host === undefined || matchesWildcard(domain, host) || host.endsWith(`.${domain}`);
  }
  return Object.values(args).some((value) => typeof value === 'string' && fitsText(spec, value));
}

function fitsForAllow(tool: string, args: ToolParameters, spec: string): boolean {
  const agents = agentTypes(tool, args);
  if (agents.length > 0) return agents.every((type) => fitsText(spec, type));
  const domain = domainOf(spec);
  if (domain !== undefined) {
    const host = hostOf(tool, args);
    return host !== undefined && domain.isWhole && matchesWildcard(domain.host, host);
  }
  const texts = Object.values(args).filter((value) => typeof value === 'string');
  const named = (PRIMARY.get(tool) ?? [])
    .map((name) => args[name])
    .find((value) => typeof value === 'string');
  const value = named ?? (!PRIMARY.has(tool) && texts.length === 1 ? texts[0] : undefined);
  return typeof value === 'string' && fitsText(spec, value);
}

const AGENT_TOOLS = new Set(['Agent', 'Task']);
const AGENT_NAMES = ['subagentType', 'subagent_type', 'agentType', 'agent_type', 'agent', 'type'];
const DEFAULT_AGENT = 'general-purpose';

/** Every agent that a call would start, in any form and spelling. */
function agentTypes(tool: string, args: ToolParameters): readonly string[] {
  if (!AGENT_TOOLS.has(tool)) return [];
  const jobs = [args.jobs, args.tasks].flatMap((list) => (Array.isArray(list) ? list : []));
  const own = jobs.length === 0 || typeof args.prompt === 'string' ? [args] : [];
  const named = own.length === 0 ? namesIn(args) : [];
  return [...new Set([...named, ...[...own, ...jobs].flatMap(namesOrDefault)])];
}

function namesOrDefault(call: unknown): readonly string[] {
  const names = namesIn(call);
  return names.length === 0 ? [DEFAULT_AGENT] : names;
}

function namesIn(call: unknown): readonly string[] {
  if (typeof call !== 'object' || call === null) return [];
  const fields: Readonly<Record<string, unknown>> = { ...call };
  return AGENT_NAMES.flatMap((name) => {
    const value = fields[name];
    return typeof value === 'string' && value !== '' ? [value] : [];
  });
}

/** `x:*` is a prefix here too, as in rules for skills with arguments. */
function fitsText(spec: string, value: string): boolean {
  return matchesWildcard(spec.replace(/:\*$/, '*'), value);
}

interface RuleDomain {
  /** As a URL spells it; wildcards stay. */
  readonly host: string;
  /** The rule names nothing narrower, such as a port or a path. */
  readonly isWhole: boolean;
}

function domainOf(spec: string): RuleDomain | undefined {
  if (!spec.startsWith('domain:')) return undefined;
  const text = spec.slice('domain:'.length).trim().toLowerCase();
  return knownDomains(text);
}

/** `https://bücher.de:80/x` names the host `xn--bcher-kva.de`, and more than the host. */
const knownDomains = memoize(64, (text: string): RuleDomain => {
  const bare = text.replace(/^[a-z]+:\/\//, '').replace(/\.$/, '');
  const named = /^[\da-f.]*:[\da-f:.]*:[\da-f.]*$/.test(bare) ? `[${bare}]` : bare;
  // A wildcard is no part of a host, but letters and digits are.
  const address = `http://${named.replaceAll('*', WILDCARD)}`;
  if (!URL.canParse(address)) return { host: bare, isWhole: true };
  const { hostname, port, pathname } = new URL(address);
  const host = hostname.replaceAll(WILDCARD, '*').replace(/\.$/, '');
  return { host, isWhole: port === '' && pathname === '/' && !/[@?#]/.test(named) };
});

const WILDCARD = 'robota0wildcard';

/** The host that will be contacted, without user name, port, case and trailing dot. */
function hostOf(tool: string, args: ToolParameters): string | undefined {
  const url = args.url;
  if (tool !== 'WebFetch' || typeof url !== 'string' || !URL.canParse(url)) return undefined;
  return new URL(url).hostname.replace(/\.$/, '').toLowerCase();
}

function suggest(tool: string, args: ToolParameters): string {
  const host = hostOf(tool, args);
  if (host !== undefined) return `WebFetch(domain:${host})`;
  const named = (PRIMARY.get(tool) ?? [])
    .map((name) => args[name])
    .find((value) => typeof value === 'string');
  const plain = typeof named === 'string' && /^[\w:.-]+$/.test(named) && tool !== 'WebSearch';
  return plain ? `${tool}(${named})` : tool;
}
