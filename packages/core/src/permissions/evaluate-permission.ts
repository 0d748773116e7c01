import type { ToolParameters } from '../tool.ts';
import { toOurSpelling } from '../tool-spelling.ts';
import { type CallContext, contextOf } from './call-context.ts';
import { judgeCommand } from './judge-command.ts';
import { fileCallOf, judgeFiles } from './judge-files.ts';
import { judgeValues } from './judge-values.ts';
import type { Finding, Judgement } from './judgement.ts';
import { decideByMode } from './mode-policy.ts';
import type {
  PermissionDecision,
  PermissionExplanation,
  PermissionLists,
  PermissionMode,
} from './permission.ts';

/** Decides about a call: deny rules first, then ask, then allow, then the mode. */
export function evaluatePermission(
  tool: string,
  args: ToolParameters,
  mode: PermissionMode,
  lists: PermissionLists = {},
): PermissionDecision {
  const context = contextOf(mode, lists);
  return decide(tool, judge(tool, args, context), context).decision;
}

/** The same decision with the rule, its layer and the part of the call that decided. */
export function explainPermission(
  tool: string,
  args: ToolParameters,
  mode: PermissionMode,
  lists: PermissionLists = {},
): PermissionExplanation {
  const context = contextOf(mode, lists);
  const judgement = judge(tool, args, context);
  const verdict = { ...decide(tool, judgement, context), mode };
  return explain(verdict, judgement, { lists, command: args.command });
}

const SHELL_TOOLS = new Set(['Bash', 'BackgroundProcess', 'Shell']);

function judge(tool: string, given: ToolParameters, context: CallContext): Judgement {
  const args = toOurSpelling(tool, given);
  const command = args.command;
  if (SHELL_TOOLS.has(tool) && typeof command === 'string') {
    const directory = args.workingDirectory;
    return judgeCommand(command, typeof directory === 'string' ? directory : undefined, context);
  }
  const file = fileCallOf(tool, args, context.cwd);
  // Both spellings of a parameter count: a tool may read either one.
  const values = { ...given, ...args };
  return file === undefined ? judgeValues(tool, values, context) : judgeFiles(file, context);
}

interface Verdict {
  readonly decision: PermissionDecision;
  readonly by: Finding;
  readonly prefix: string;
}

function decide(tool: string, judgement: Judgement, context: CallContext): Verdict {
  const { denied, maybeDenied, asked, allowed, obstacle } = judgement;
  if (denied !== undefined) return { decision: 'deny', by: denied, prefix: 'Denied by' };
  if (maybeDenied !== undefined) return decideUnsure(maybeDenied, context.mode);
  if (asked !== undefined) {
    const decision = context.mode === 'plan' && isChange(tool) ? 'deny' : 'approve';
    return { decision, by: asked, prefix: 'Must be asked for by' };
  }
  if (allowed !== undefined && !(allowed.rule === undefined && context.mode === 'plan')) {
    return { decision: 'auto', by: allowed, prefix: 'Allowed by' };
  }
  const decision = decideByMode(tool, context.mode, obstacle !== undefined);
  return { decision, by: obstacle ?? {}, prefix: modePrefix(decision, context.mode) };
}

/** A question that no rule caused starts with its reason: the user already sees that it is a question. */
function modePrefix(decision: PermissionDecision, mode: PermissionMode): string {
  if (decision === 'approve') return '';
  return `${decision === 'auto' ? 'Allowed' : 'Denied'} in mode ${mode}`;
}

/** Nobody approves calls under bypassPermissions, so a call that may match a deny rule is denied there. */
function decideUnsure(finding: Finding, mode: PermissionMode): Verdict {
  const decision = mode === 'bypassPermissions' || mode === 'plan' ? 'deny' : 'approve';
  return { decision, by: finding, prefix: finding.rule === undefined ? 'Held back' : 'May meet' };
}

function isChange(tool: string): boolean {
  return decideByMode(tool, 'plan', false) === 'deny';
}

function explain(
  { decision, by, prefix, mode }: Verdict & { readonly mode: PermissionMode },
  judgement: Judgement,
  { lists, command }: { readonly lists: PermissionLists; readonly command: unknown },
): PermissionExplanation {
  const rule = by.rule?.text;
  const layer = rule === undefined ? undefined : lists.layers?.[rule];
  const suggestion = decision === 'approve' ? judgement.suggestion : undefined;
  const unasked = decision === 'auto' && by === judgement.allowed && mode !== 'bypassPermissions';
  const run = unasked ? judgement.run : undefined;
  const isRule = by === judgement.denied || by === judgement.maybeDenied;
  return {
    decision,
    ...(decision === 'deny' && { deniedBy: isRule ? 'rule' : 'mode' }),
    reason: prefix === '' ? question(by, command) : sentence({ prefix, rule, layer, by }),
    ...(rule === undefined ? {} : { rule }),
    ...(layer === undefined ? {} : { layer }),
    ...(by.part === undefined ? {} : { part: by.part }),
    ...(suggestion === undefined ? {} : { suggestedPattern: suggestion }),
    ...(run === undefined ? {} : { run }),
  };
}

interface SentenceParts {
  readonly prefix: string;
  readonly rule: string | undefined;
  readonly layer: string | undefined;
  readonly by: Finding;
}

function sentence({ prefix, rule, layer, by }: SentenceParts): string {
  const named =
    rule === undefined ? '' : ` rule ${rule}${layer === undefined ? '' : ` (${layer})`}`;
  const about = by.part === undefined ? '' : ` for “${shorten(by.part)}”`;
  const because = by.reason === undefined ? '' : `: ${by.reason}`;
  return `${rule === undefined && prefix.endsWith(' by') ? prefix.slice(0, -3) : prefix}${named}${about}${because}.`;
}

/** Why approval is needed; names the part when the command has others. */
function question(
  { reason = 'no rule covers this call', part }: Finding,
  command: unknown,
): string {
  const isPart = part !== undefined && (typeof command !== 'string' || part !== command.trim());
  const about = isPart ? `: “${shorten(part)}”` : '';
  return `${reason.slice(0, 1).toUpperCase()}${reason.slice(1)}${about}.`;
}

function shorten(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.length > 120 ? `${line.slice(0, 120)}…` : line;
}
