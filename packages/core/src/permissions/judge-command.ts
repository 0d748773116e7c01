import path from 'node:path';
import type { CallContext } from './call-context.ts';
import { findAllowed } from './command-allowed.ts';
import { CommandFiles } from './command-files.ts';
import type { Finding, Judgement } from './judgement.ts';
import { OWN_SECRET_REASON, SECRETS_BENEATH_REASON } from './own-secrets.ts';
import type { RuleSet } from './rule-set.ts';
import { analyzeCommand } from './shell/analyze-command.ts';
import { allParts, factsOf } from './shell/part-facts.ts';
import type { ShellAnalysis, ShellPart } from './shell/shell-word.ts';

/** Judges every program that a command line starts, and every file that it names. */
export function judgeCommand(
  command: string,
  directory: string | undefined,
  context: CallContext,
): Judgement {
  const analysis = analyzeCommand(command);
  const everything = allParts(analysis);
  const cwd = path.resolve(context.cwd, directory ?? '.');
  const files = new CommandFiles(everything, cwd);
  const denied = findSecret(everything, files) ?? findCertain(context.deny, everything, files);
  if (denied !== undefined) return { denied };
  const maybeDenied =
    findPossible(context.deny, analysis, everything, files) ?? findBeneath(everything, files);
  const asked =
    findCertain(context.ask, everything, files) ??
    findPossible(context.ask, analysis, everything, files);
  const { allowed, obstacle, run } = findAllowed({ command, analysis, files, cwd }, context);
  return {
    ...(maybeDenied === undefined ? {} : { maybeDenied }),
    ...(asked === undefined ? {} : { asked }),
    ...(allowed === undefined || maybeDenied !== undefined ? {} : { allowed }),
    ...(run === undefined ? {} : { run }),
    ...(obstacle === undefined ? {} : { obstacle }),
    ...(obstacle?.suggestion === undefined ? {} : { suggestion: obstacle.suggestion }),
  };
}

/** Secrets of this program are denied whatever the rules and the mode say. */
function findSecret(parts: readonly ShellPart[], files: CommandFiles): Finding | undefined {
  const part = parts.find(
    (each) => files.namesSecret(each) || files.readsSecrets(each) === 'inside',
  );
  return part && { reason: OWN_SECRET_REASON, part: part.source };
}

/** A whole directory above our home: a person may want it, nothing does it by itself. */
function findBeneath(parts: readonly ShellPart[], files: CommandFiles): Finding | undefined {
  const part = parts.find((each) => files.readsSecrets(each) === 'beneath');
  return part && { reason: SECRETS_BENEATH_REASON, part: part.source };
}

/** Deny and ask: one part that meets a rule is enough. */
function findCertain(
  set: RuleSet,
  parts: readonly ShellPart[],
  files: CommandFiles,
): Finding | undefined {
  if (set.rules.length === 0) return undefined;
  const every = set.everyCall('Bash');
  if (every !== undefined) return { rule: every };
  for (const part of parts) {
    const rule = commandRule(set, part) ?? files.caught(part, set);
    if (rule !== undefined) return { rule, part: part.source };
  }
  return undefined;
}

function commandRule(set: RuleSet, part: ShellPart) {
  if (set.commands.isEmpty) return undefined;
  for (const view of factsOf(part).views.deny) {
    const rule = set.commands.find(view);
    if (rule !== undefined) return rule;
  }
  return undefined;
}

/** A rule that would be met if what is unknown turned out badly. */
function findPossible(
  set: RuleSet,
  analysis: ShellAnalysis,
  parts: readonly ShellPart[],
  files: CommandFiles,
): Finding | undefined {
  const concerned =
    set.specific('Bash')[0] ??
    set.specific('Read')[0] ??
    set.specific('Write')[0] ??
    set.everyCall('Read');
  if (concerned === undefined) return undefined;
  if (analysis.unparsable !== undefined) {
    return { rule: concerned, reason: `it cannot be understood: ${analysis.unparsable}` };
  }
  if (analysis.hazard !== undefined) return { rule: concerned, reason: analysis.hazard };
  for (const part of parts) {
    if (part.opaque !== undefined)
      return { rule: concerned, reason: part.opaque, part: part.source };
    const { fuzzy } = factsOf(part).views;
    const rule =
      (fuzzy === undefined ? undefined : set.commands.findPossible(fuzzy)) ??
      files.possiblyCaught(part, set);
    if (rule !== undefined)
      return { rule, reason: 'only running it would tell', part: part.source };
  }
  return undefined;
}
