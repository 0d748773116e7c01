import type { CallContext } from './call-context.ts';
import { type CommandFiles, isDevice } from './command-files.ts';
import { findCovering, isProtected } from './judge-files.ts';
import type { Finding } from './judgement.ts';
import { isHarmlessAssignment } from './shell/command-views.ts';
import { isReadOnly } from './shell/is-read-only.ts';
import { factsOf } from './shell/part-facts.ts';
import type { ShellAnalysis, ShellPart, ShellWord } from './shell/shell-word.ts';
import { suggestCommand, suggestPath } from './suggest-rule.ts';

/** Either what allows the whole command, or the first thing that nothing allows. */
export interface AllowSearch {
  readonly allowed?: Finding;
  readonly obstacle?: Finding;
}

/** A command is allowed when every part of it is: by a rule, or because it can only look. */
export function findAllowed(
  analysis: ShellAnalysis,
  files: CommandFiles,
  context: CallContext,
): AllowSearch {
  if (analysis.unparsable !== undefined) {
    return { obstacle: { reason: `it cannot be understood: ${analysis.unparsable}` } };
  }
  const every = context.allow.everyCall('Bash');
  if (every !== undefined) return { allowed: { rule: every } };
  if (analysis.parts.length === 0) return { allowed: { reason: 'it runs nothing' } };
  const search = new PartSearch(files, context);
  const obstacle = search.firstObstacle(analysis.parts);
  if (obstacle !== undefined) return { obstacle };
  return { allowed: search.rule ?? { reason: 'it can only look' } };
}

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
      const obstacle = this.#obstacleIn(part) ?? this.#redirectObstacle(part);
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
    if (bare && isReadOnly(part, (word) => this.#mayRead(word))) return undefined;
    return unallowed(part);
  }

  #ruleFor(part: ShellPart) {
    if (this.#context.allow.commands.isEmpty || part.opaque === UNNAMED) return undefined;
    for (const view of factsOf(part).views.allow) {
      const rule = this.#context.allow.commands.find(view);
      if (rule !== undefined) return rule;
    }
    return undefined;
  }

  #mayRead(word: ShellWord): boolean {
    if (word.value === '-' || isDevice(word)) return true;
    if (this.#files.isInside(word, this.#context.roots())) return true;
    const places = word.glob === true ? undefined : this.#files.places(word);
    return (
      places?.every(
        (place) => findCovering(this.#context.allow, { tool: 'Read', place }) !== undefined,
      ) === true
    );
  }

  #redirectObstacle(part: ShellPart): Finding | undefined {
    for (const { kind, word } of part.redirects) {
      const fine = kind === 'read' ? this.#mayRead(word) : this.#mayWrite(word);
      if (fine) continue;
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

  #mayWrite(word: ShellWord): boolean {
    if (isDevice(word)) return true;
    const places = word.glob === true ? undefined : this.#files.places(word);
    if (places === undefined) return false;
    const edits =
      this.#context.mode === 'acceptEdits' &&
      this.#files.isInside(word, this.#context.roots()) &&
      !places.some(isProtected);
    return (
      edits ||
      places.every(
        (place) => findCovering(this.#context.allow, { tool: 'Write', place }) !== undefined,
      )
    );
  }
}

const UNNAMED = 'its name is known only at run time';

/** A plain shell variable does nothing by itself; one that is exported already changes what programs do. */
function assignmentObstacle(part: ShellPart): Finding | undefined {
  const risky = part.assignments.find(
    ({ name }) => !isHarmlessAssignment(name) && (name in process.env || STEERING.test(name)),
  );
  return risky && { reason: `it sets ${risky.name}, which programs read`, part: part.source };
}

/** Variables that steer the shell, the loader, git and the usual interpreters. */
const STEERING =
  /^(?:PATH|IFS|ENV|HOME|CDPATH|OLDPWD|TMPDIR|SHELL|PS\d|GLOBIGNORE|POSIXLY_CORRECT|BASH.*|SHELLOPTS|LD_.*|DYLD_.*|GIT_.*|SSH_.*|NODE_.*|PYTHON.*|PERL.*|RUBY.*|JAVA_.*|npm_.*|.*_proxy|.*PAGER|.*EDITOR|VISUAL|.*COMMAND|BROWSER|LESS.*)$/i;

function unallowed(part: ShellPart): Finding {
  const suggestion = suggestCommand(part);
  return {
    reason: 'no rule allows it',
    part: part.source,
    ...(suggestion === undefined ? {} : { suggestion }),
  };
}
