import type { Command, CommandSource } from '../commands/command.ts';
import type { Skill } from '../skills/skill.ts';
import { commandOf } from '../skills/skill-command-source.ts';
import type { LoadedBundlePlugin } from './bundle-plugin.ts';

/** The slash commands of plugins, prefixed with the plugin's name: `my-plugin:audit`. */
export class PluginCommandSource implements CommandSource {
  readonly name = 'plugin';
  readonly #skills: readonly Skill[];

  constructor(plugins: readonly LoadedBundlePlugin[]) {
    this.#skills = plugins.flatMap(({ manifest, skills, commands }) =>
      [...commands, ...skills].map((skill) => ({
        ...skill,
        name: `${manifest.name}:${skill.name}`,
      })),
    );
  }

  getCommands(): readonly Command[] {
    return this.#skills
      .filter((skill) => skill.isUserInvocable)
      .map((skill) => ({ ...commandOf(skill), source: 'plugin' }));
  }

  getSkills(): readonly Skill[] {
    return this.#skills;
  }
}
