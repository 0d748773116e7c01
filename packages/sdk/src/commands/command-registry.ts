import type { Command, CommandSource } from './command.ts';

/** The commands of all sources; on duplicate names the source added first wins. */
export class CommandRegistry {
  #sources: CommandSource[] = [];

  addSource(source: CommandSource): void {
    this.#sources.push(source);
  }

  /** Replaces the source of the same name, or adds it. */
  replaceSource(source: CommandSource): void {
    const place = this.#sources.findIndex((candidate) => candidate.name === source.name);
    if (place < 0) this.#sources.push(source);
    else this.#sources[place] = source;
  }

  /** `prefix` is case-insensitive. */
  getCommands(prefix = ''): Command[] {
    const commands = new Map<string, Command>();
    for (const source of this.#sources) {
      for (const command of source.getCommands()) {
        if (!commands.has(command.name)) commands.set(command.name, command);
      }
    }
    const wanted = prefix.toLowerCase();
    return [...commands.values()].filter((command) =>
      command.name.toLowerCase().startsWith(wanted),
    );
  }

  /** `audit` -> `my-plugin:audit`, when exactly one plugin has it. */
  resolveQualifiedName(shortName: string): string | null {
    const names = this.getCommands()
      .map((command) => command.name)
      .filter((name) => name.includes(':') && name.slice(name.indexOf(':') + 1) === shortName);
    return names.length === 1 ? (names[0] ?? null) : null;
  }

  /** An exact name wins over one that differs only in case. */
  getSubcommands(name: string): Command[] {
    const commands = this.getCommands();
    const command =
      commands.find((candidate) => candidate.name === name) ??
      commands.find((candidate) => candidate.name.toLowerCase() === name.toLowerCase());
    return [...(command?.subcommands ?? [])];
  }
}
