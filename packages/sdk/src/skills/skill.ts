/** An instruction kept in a file, run by name: by a person as a slash command, by a model as a tool. */
export interface Skill {
  readonly name: string;
  readonly description: string;
  /** The text below the frontmatter. */
  readonly body: string;
  readonly file: string;
  readonly directory: string;
  /** `project` files may run commands only where the directory is trusted. */
  readonly scope: 'project' | 'user' | 'plugin';
  readonly argumentHint?: string;
  readonly isModelInvocable: boolean;
  readonly isUserInvocable: boolean;
  /** In fork mode, all the tools the worker has. */
  readonly allowedTools?: readonly string[];
  /** The same as rules: in the conversation these calls need no approval while the skill is at work. */
  readonly allowedRules?: readonly string[];
  readonly model?: string;
  /** `fork` runs in a subagent, `inject` in the conversation itself. */
  readonly mode: 'inject' | 'fork';
  /** Which agent a fork is. */
  readonly agent?: string;
}

/** A skill that a program brings; left out, it may be used by both, in the conversation itself. */
export type SkillInCode = Pick<Skill, 'name' | 'description' | 'body'> & Partial<Skill>;

export function completeSkill(skill: SkillInCode, cwd: string): Skill {
  return {
    file: 'given in code',
    directory: cwd,
    scope: 'user',
    isModelInvocable: true,
    isUserInvocable: true,
    mode: 'inject',
    ...skill,
  };
}
