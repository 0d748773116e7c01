import type { Command, CommandSource } from '../commands/command.ts';
import { type FoundSkills, findSkills, skillPlaces } from './find-skills.ts';
import type { Skill } from './skill.ts';

/** The skills of a directory and its user as slash commands. Files are read on first use and cached. */
export class SkillCommandSource implements CommandSource {
  readonly name = 'skill';
  readonly #read: () => FoundSkills;
  #found: FoundSkills | undefined;

  constructor(cwd: string, home?: string) {
    this.#read = () => findSkills(skillPlaces(cwd, home));
  }

  getCommands(): readonly Command[] {
    return this.getSkills()
      .filter((skill) => skill.isUserInvocable)
      .map(commandOf);
  }

  getSkills(): readonly Skill[] {
    return this.#known().skills;
  }

  /** Files that could not be read, and why. */
  getProblems(): readonly string[] {
    return this.#known().problems;
  }

  /** Clears the cache, so that the next call reads the files again. */
  reload(): void {
    this.#found = undefined;
  }

  #known(): FoundSkills {
    this.#found ??= this.#read();
    return this.#found;
  }
}

export function commandOf({ name, description, argumentHint }: Skill): Command {
  return { name, description, source: 'skill', ...(argumentHint && { argumentHint }) };
}
