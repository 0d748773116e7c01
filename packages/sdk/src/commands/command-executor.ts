import type { InteractiveSession } from '../interactive/interactive-session.ts';
import type { CommandResult, SystemCommand } from './system-command.ts';

/** Finds a system command by name and runs it. */
export class SystemCommandExecutor {
  readonly #commands = new Map<string, SystemCommand>();

  constructor(commands: readonly SystemCommand[]) {
    for (const command of commands) this.register(command);
  }

  register(command: SystemCommand): void {
    this.#commands.set(command.name, command);
  }

  /** Adds a command unless there is one of that name. */
  add(command: SystemCommand): void {
    if (!this.has(command.name)) this.register(command);
  }

  /** Adds the commands of extensions; commands `given` by the caller are not replaced. */
  extend(
    added: {
      readonly commands: readonly SystemCommand[];
      readonly replacedCommands: readonly SystemCommand[];
    },
    given: readonly SystemCommand[] = [],
  ): void {
    const kept = new Set(given.map(({ name }) => name));
    for (const command of added.replacedCommands) {
      if (!kept.has(command.name)) this.register(command);
    }
    for (const command of added.commands) this.add(command);
  }

  has(name: string): boolean {
    return this.#commands.has(name);
  }

  list(): { readonly name: string; readonly description: string }[] {
    return [...this.#commands.values()].map(({ name, description }) => ({ name, description }));
  }

  /** Null when there is no such command. */
  async execute(
    name: string,
    session: InteractiveSession,
    args: string,
  ): Promise<CommandResult | null> {
    const command = this.#commands.get(name);
    return command ? command.execute(session, args.trim()) : null;
  }
}
