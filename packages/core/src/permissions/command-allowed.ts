import type { CallContext } from './call-context.ts';
import { type CommandFiles, isDevice } from './command-files.ts';
import { findCovering, findStrict } from './judge-files.ts';
import type { Finding } from './judgement.ts';
import { isOwnSecret } from './own-secrets.ts';
import { type ResolvedPath, resolvePath } from './paths/resolve-path.ts';
import { isInside } from './paths/roots.ts';
import type { UnaskedCommand } from './permission.ts';
import { isProtected } from './protected-paths.ts';
import { judgeReadOnly } from './read-only/judge-script.ts';
import type { ReadPolicy } from './read-only/scope.ts';
import { steersPrograms } from './read-only/steering-variables.ts';
import { isHarmlessAssignment } from './shell/command-views.ts';
import { allParts, partFacts } from './shell/part-facts.ts';
import type { ShellAnalysis, ShellPart, ShellWord } from './shell/shell-word.ts';
import { suggestCommand, suggestPath } from './suggest-rule.ts';

/** Either what allows the complete command, or the first obstacle. */
export interface AllowSearch {
  readonly allowed?: Finding;
  readonly obstacle?: Finding;
  readonly run?: UnaskedCommand;
}

export interface CommandCall {
  readonly command: string;
  readonly analysis: ShellAnalysis;
  readonly files: CommandFiles;
  /** The working directory at its start. */
  readonly cwd: string;
}

/** A command is allowed when rules cover every part, or when the read-only grammar accepts it. */
export function findAllowed(call: CommandCall, context: CallContext): AllowSearch {
  const { analysis } = call;
  if (analysis.unparsable !== undefined) {
    return { obstacle: { reason: `it cannot be understood: ${analysis.unparsable}` } };
  }
  const every = context.allow.everyCall('Bash');
  if (every !== undefined) return { allowed: { rule: every } };
  const directoryProblem = directoryObstacle(call, context);
  if (directoryProblem !== undefined) return { obstacle: directoryProblem };
  const search = new PartSearch(call.files, context);
  const byRules = search.firstObstacle(analysis.parts);
  if (byRules === undefined && search.rule !== undefined) {
    return analysis.hazard === undefined
      ? { allowed: search.rule }
      : { obstacle: { reason: analysis.hazard } };
  }
  return byGrammar(call, search, context);
}

function byGrammar(call: CommandCall, search: PartSearch, context: CallContext): AllowSearch {
  const policy = policyOf(call, search, context);
  const judged = judgeReadOnly(call.command, policy);
  if (judged.kind === 'asks')
    return { obstacle: describeObstacle(call, search, { policy, judged }) };
  const run = { command: judged.text, confine: judged.onlyReads };
  return { allowed: search.rule ?? { reason: 'it can only look' }, run };
}

function policyOf(call: CommandCall, search: PartSearch, context: CallContext): ReadPolicy {
  let parts: ReadonlyMap<string, ShellPart> | undefined;
  return {
    cwd: call.cwd,
    environment: process.env,
    gitAsks: context.gitAsks,
    mayRead: (place) => mayReadPlace(place, context),
    mayWrite: (place) => mayWritePlace(place, context),
    covers: (source) => {
      // Text that a rule covers runs as written, so nothing in it may run what looks like data.
      if (call.analysis.hazard !== undefined) return false;
      parts ??= new Map(allParts(call.analysis).map((each) => [each.source, each]));
      const part = parts.get(source);
      return part !== undefined && search.firstObstacle([part]) === undefined;
    },
  };
}

/** Parts examined one by one to find the reason for a question. */
const MAX_DESCRIBED = 50;

/** The first part that neither a rule nor the grammar allows, with a rule that would allow it. */
function describeObstacle(
  { analysis }: CommandCall,
  search: PartSearch,
  {
    policy,
    judged,
  }: {
    readonly policy: ReadPolicy;
    readonly judged: { readonly reason: string; readonly part?: string | undefined };
  },
): Finding {
  for (const part of analysis.parts.slice(0, MAX_DESCRIBED)) {
    const obstacle = search.firstObstacle([part]);
    if (obstacle === undefined) continue;
    const redirected = search.redirectObstacle(part);
    const words = part.words.map((word) => word.raw).join(' ');
    if (redirected !== undefined && judgeReadOnly(words, policy).kind === 'runs') return redirected;
    if (part.words.length === 0 && part.redirects.length === 0) return obstacle;
    const alone = judgeReadOnly(part.source, policy);
    if (alone.kind === 'asks') return obstacle;
  }
  return { reason: judged.reason, ...(judged.part === undefined ? {} : { part: judged.part }) };
}

/** The working directory of a command is checked like any other path. */
function directoryObstacle({ cwd }: CommandCall, context: CallContext): Finding | undefined {
  if (cwd === context.cwd) return undefined;
  const place = resolvePath(cwd, '/');
  return mayReadPlace(place, context)
    ? undefined
    : { reason: `${place.real} is outside the working directories` };
}

function mayReadPlace(place: ResolvedPath, context: CallContext): boolean {
  if (isOwnSecret(place.real)) return false;
  const call = { tool: 'Read', place };
  if (findStrict(context.deny, call) ?? findStrict(context.ask, call)) return false;
  return isInside(place, context.roots()) || findCovering(context.allow, call) !== undefined;
}

function mayWritePlace(place: ResolvedPath, context: CallContext): boolean {
  const edits =
    context.mode === 'acceptEdits' && isInside(place, context.roots()) && !isProtected(place);
  return edits || findCovering(context.allow, { tool: 'Write', place }) !== undefined;
}

/** Finds rules that allow a command, part by part. */
class PartSearch {
  readonly #files: CommandFiles;
  readonly #context: CallContext;
  /** The last rule that was needed. */
  rule: Finding | undefined;

  constructor(files: CommandFiles, context: CallContext) {
    this.#files = files;
    this.#context = context;
  }

  firstObstacle(parts: readonly ShellPart[]): Finding | undefined {
    for (const part of parts) {
      const obstacle = this.#obstacleIn(part) ?? this.redirectObstacle(part);
      if (obstacle !== undefined) return obstacle;
    }
    return undefined;
  }

  #obstacleIn(part: ShellPart): Finding | undefined {
    if (part.words.length === 0) return assignmentObstacle(part);
    const rule = this.#ruleFor(part);
    if (rule !== undefined) {
      this.rule = { rule, part: part.source };
      return part.role === 'separate' ? this.firstObstacle(part.inner ?? []) : undefined;
    }
    if (part.opaque !== undefined) return { reason: part.opaque, part: part.source };
    const bare = part.assignments.every((each) => isHarmlessAssignment(each.name));
    if (bare && part.role === 'transparent' && part.inner !== undefined) {
      return this.firstObstacle(part.inner);
    }
    return unallowed(part);
  }

  #ruleFor(part: ShellPart) {
    if (this.#context.allow.commands.isEmpty || part.opaque === UNNAMED) return undefined;
    for (const view of partFacts(part).views.allow) {
      const rule = this.#context.allow.commands.findAllowing(view);
      if (rule !== undefined) return rule;
    }
    return undefined;
  }

  redirectObstacle(part: ShellPart): Finding | undefined {
    for (const { kind, word } of part.redirects) {
      if (isDevice(word) || this.#mayRedirect(kind, word)) continue;
      const verb = kind === 'read' ? 'reads' : 'writes';
      const place = this.#files.places(word)?.[0]?.literal;
      const tool = kind === 'read' ? 'Read' : 'Edit';
      return {
        reason: `it ${verb} ${word.raw}`,
        part: part.source,
        ...(place === undefined ? {} : { suggestion: suggestPath(tool, place, this.#context.cwd) }),
      };
    }
    return undefined;
  }

  #mayRedirect(kind: 'read' | 'write', word: ShellWord): boolean {
    const places = word.glob === true ? undefined : this.#files.places(word);
    // The shell opens a connection for these names.
    if (places === undefined || /^\/dev\/(?:tcp|udp)\//.test(word.value ?? '')) return false;
    const may = kind === 'read' ? mayReadPlace : mayWritePlace;
    return places.every((place) => may(place, this.#context));
  }
}

const UNNAMED = 'its name is known only at run time';

/** A plain shell variable has no effect by itself; an exported one changes what programs do. */
function assignmentObstacle(part: ShellPart): Finding | undefined {
  const risky = part.assignments.find(
    ({ name }) => !isHarmlessAssignment(name) && steersPrograms(name, process.env),
  );
  return risky && { reason: `it sets ${risky.name}, which programs read`, part: part.source };
}

function unallowed(part: ShellPart): Finding {
  const suggestion = suggestCommand(part);
  return {
    reason: 'no rule allows it',
    part: part.source,
    ...(suggestion === undefined ? {} : { suggestion }),
  };
}
