/** An instruction in a file, invoked by name: by a user as a slash command, by a model as a tool. */
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
  /** In fork mode, the only tools of the subagent. */
  readonly allowedTools?: readonly string[];
  /** The same as rules: calls they cover need no approval in the conversation while the skill is active. */
  readonly allowedRules?: readonly string[];
  readonly model?: string;
  /** `fork` runs in a subagent, `inject` in the conversation itself. */
  readonly mode: 'inject' | 'fork';
  /** The agent used in fork mode. */
  readonly agent?: string;
}

/** A skill given in code; by default users and models may invoke it, and it runs in the conversation. */
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
