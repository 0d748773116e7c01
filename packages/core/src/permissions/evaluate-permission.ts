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

/** Whether a call may run: deny rules first, then ask, then allow, then the mode. */
export function evaluatePermission(
  tool: string,
  args: ToolParameters,
  mode: PermissionMode,
  lists: PermissionLists = {},
): PermissionDecision {
  const context = contextOf(mode, lists);
  return decide(tool, judge(tool, args, context), context).decision;
}

/** The same decision with the rule, its layer and the part of the call that made it. */
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
  // Both spellings of a name count: a call may use one and an agent read the other.
  const values = { ...given, ...args };
  return file === undefined ? judgeValues(tool, values, context) : judgeFiles(file, context);
}

interface Verdict {
  readonly decision: PermissionDecision;
  readonly by: Finding;
  readonly words: string;
}

function decide(tool: string, judgement: Judgement, context: CallContext): Verdict {
  const { denied, maybeDenied, asked, allowed, obstacle } = judgement;
  if (denied !== undefined) return { decision: 'deny', by: denied, words: 'Denied by' };
  if (maybeDenied !== undefined) return decideUnsure(maybeDenied, context.mode);
  if (asked !== undefined) {
    const decision = context.mode === 'plan' && isChange(tool) ? 'deny' : 'approve';
    return { decision, by: asked, words: 'Must be asked for by' };
  }
  if (allowed !== undefined && !(allowed.rule === undefined && context.mode === 'plan')) {
    return { decision: 'auto', by: allowed, words: 'Allowed by' };
  }
  const decision = decideByMode(tool, context.mode, obstacle !== undefined);
  return { decision, by: obstacle ?? {}, words: modeWords(decision, context.mode) };
}

/** What is asked because no rule speaks begins with its reason: the person knows that they are asked. */
function modeWords(decision: PermissionDecision, mode: PermissionMode): string {
  if (decision === 'approve') return '';
  return `${decision === 'auto' ? 'Allowed' : 'Denied'} in mode ${mode}`;
}

/** Nobody watches under bypassPermissions, so what may meet a deny rule does not run there. */
function decideUnsure(finding: Finding, mode: PermissionMode): Verdict {
  const decision = mode === 'bypassPermissions' || mode === 'plan' ? 'deny' : 'approve';
  return { decision, by: finding, words: finding.rule === undefined ? 'Held back' : 'May meet' };
}

function isChange(tool: string): boolean {
  return decideByMode(tool, 'plan', false) === 'deny';
}

function explain(
  { decision, by, words, mode }: Verdict & { readonly mode: PermissionMode },
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
    reason: words === '' ? question(by, command) : sentence({ words, rule, layer, by }),
    ...(rule === undefined ? {} : { rule }),
    ...(layer === undefined ? {} : { layer }),
    ...(by.part === undefined ? {} : { part: by.part }),
    ...(suggestion === undefined ? {} : { suggestedPattern: suggestion }),
    ...(run === undefined ? {} : { run }),
  };
}

interface SentenceParts {
  readonly words: string;
  readonly rule: string | undefined;
  readonly layer: string | undefined;
  readonly by: Finding;
}

function sentence({ words, rule, layer, by }: SentenceParts): string {
  const named =
    rule === undefined ? '' : ` rule ${rule}${layer === undefined ? '' : ` (${layer})`}`;
  const about = by.part === undefined ? '' : ` for “${shorten(by.part)}”`;
  const because = by.reason === undefined ? '' : `: ${by.reason}`;
  return `${rule === undefined && words.endsWith(' by') ? words.slice(0, -3) : words}${named}${about}${because}.`;
}

/** Why a person is asked; the part is named where the command has others. */
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
