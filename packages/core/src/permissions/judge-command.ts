import path from 'node:path';
import type { CallContext } from './call-context.ts';
import { findAllowed } from './command-allowed.ts';
import { CommandFiles } from './command-files.ts';
import type { Finding, Judgement } from './judgement.ts';
import {
  mentionsSecret,
  OWN_SECRET_REASON,
  SECRET_MENTIONED_REASON,
  SECRETS_BENEATH_REASON,
} from './own-secrets.ts';
import { overridesRepository } from './read-only/judge-git.ts';
import { JudgementCache } from './read-only/judgement-cache.ts';
import type { RuleSet } from './rule-set.ts';
import { analyzeCommand } from './shell/analyze-command.ts';
import { allParts, partFacts } from './shell/part-facts.ts';
import type { ShellAnalysis, ShellPart } from './shell/shell-word.ts';

/** Checks every program that a command line starts and every file that it names. */
export function judgeCommand(
  command: string,
  directory: string | undefined,
  context: CallContext,
): Judgement {
  const cwd = directory === undefined ? context.cwd : path.resolve(context.cwd, directory);
  return judgements.get(
    command,
    () => inputsOf(command, cwd, context),
    () => judgeUncached(command, cwd, context),
  );
}

const judgements = new JudgementCache<Judgement>();

/** Everything a judgement depends on besides the text and the disk. */
function inputsOf(command: string, cwd: string, context: CallContext): readonly unknown[] {
  const { mode, gitAsks, deny, ask, allow } = context;
  const { HOME, ROBOTA_HOME } = process.env;
  const isOverridden = command.includes('git') && overridesRepository(process.env);
  const roots = context.roots().join('\0');
  return [
    cwd,
    context.cwd,
    mode,
    gitAsks,
    deny,
    ask,
    allow,
    roots,
    HOME,
    ROBOTA_HOME,
    isOverridden,
  ];
}

function judgeUncached(command: string, cwd: string, context: CallContext): Judgement {
  const analysis = analyzeCommand(command);
  const everything = allParts(analysis);
  const files = new CommandFiles(everything, cwd);
  const denied = findSecret(everything, files) ?? findCertain(context.deny, everything, files);
  if (denied !== undefined) return { denied };
  const maybeDenied =
    findPossible(context.deny, analysis, everything, files) ??
    findSecretBelow(everything, files) ??
    findMention(command);
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

/** Robota's own secrets are denied in every mode and under any rule. */
function findSecret(parts: readonly ShellPart[], files: CommandFiles): Finding | undefined {
  const part = parts.find(
    (each) => files.namesSecret(each) || files.readsSecrets(each) === 'inside',
  );
  return part && { reason: OWN_SECRET_REASON, part: part.source };
}

/**
 * Recursive reads of a directory above Robota's home need approval: they may be intended, but never run automatically.
 */
function findSecretBelow(parts: readonly ShellPart[], files: CommandFiles): Finding | undefined {
  const part = parts.find((each) => files.readsSecrets(each) === 'beneath');
  return part && { reason: SECRETS_BENEATH_REASON, part: part.source };
}

function findMention(command: string): Finding | undefined {
  return mentionsSecret(command) ? { reason: SECRET_MENTIONED_REASON } : undefined;
}

/** Deny and ask: one matching part is enough. */
function findCertain(
  set: RuleSet,
  parts: readonly ShellPart[],
  files: CommandFiles,
): Finding | undefined {
  if (set.rules.length === 0) return undefined;
  const every = set.everyCall('Bash');
  if (every !== undefined) return { rule: every };
  for (const part of parts) {
    const rule = commandRule(set, part) ?? files.matchingRule(part, set);
    if (rule !== undefined) return { rule, part: part.source };
  }
  return undefined;
}

function commandRule(set: RuleSet, part: ShellPart) {
  if (set.commands.isEmpty) return undefined;
  for (const view of partFacts(part).views.deny) {
    const rule = set.commands.find(view);
    if (rule !== undefined) return rule;
  }
  return undefined;
}

/** A rule that may match, depending on values known only at run time. */
function findPossible(
  set: RuleSet,
  analysis: ShellAnalysis,
  parts: readonly ShellPart[],
  files: CommandFiles,
): Finding | undefined {
  const anyRule =
    set.specific('Bash')[0] ??
    set.specific('Read')[0] ??
    set.specific('Write')[0] ??
    set.everyCall('Read');
  if (anyRule === undefined) return undefined;
  if (analysis.unparsable !== undefined) {
    return { rule: anyRule, reason: `it cannot be understood: ${analysis.unparsable}` };
  }
  if (analysis.hazard !== undefined) return { rule: anyRule, reason: analysis.hazard };
  for (const part of parts) {
    if (part.opaque !== undefined) return { rule: anyRule, reason: part.opaque, part: part.source };
    const { fuzzy } = partFacts(part).views;
    const rule =
      (fuzzy === undefined ? undefined : set.commands.findPossible(fuzzy)) ??
      files.possibleRule(part, set);
    if (rule !== undefined)
      return { rule, reason: 'only running it would tell', part: part.source };
  }
  return undefined;
}
