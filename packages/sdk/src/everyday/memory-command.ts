import type { PreparedPrompt } from '../assembly/session-extension.ts';
import type { CommandResult, SystemCommand } from '../commands/system-command.ts';
import { addToMemory, MEMORY_SCOPES, memoryFiles } from './memory-files.ts';

const USAGE = `Usage: memory [add ${MEMORY_SCOPES.join('|')} <what to remember>]`;

/** Notes for this and later sessions; a new note applies from the next prompt. */
export class Memory {
  readonly #cwd: string;
  readonly #added: string[] = [];

  constructor(cwd: string) {
    this.#cwd = cwd;
  }

  command(): SystemCommand {
    return {
      name: 'memory',
      description: 'Show the memory files, or add a note to one',
      execute: (_session, args) => (args === '' ? this.#list() : this.#add(args)),
    };
  }

  /** Memory files are read only at session start, so new notes are sent with the next prompt. */
  prepare(prompt: PreparedPrompt): PreparedPrompt {
    const added = this.#added.splice(0);
    if (added.length === 0) return prompt;
    const notes = added.map((note) => `- ${note}`).join('\n');
    const text = `The user added this to their instructions; keep to it from now on:\n${notes}`;
    return { ...prompt, input: `<system-reminder>\n${text}\n</system-reminder>\n${prompt.input}` };
  }

  #list(): CommandResult {
    const files = memoryFiles(this.#cwd);
    const lines = files.map(
      ({ scope, path, exists }) => `${scope.padEnd(8)}${path}${exists ? '' : ' (not there yet)'}`,
    );
    return { success: true, message: lines.join('\n'), data: { files } };
  }

  async #add(args: string): Promise<CommandResult> {
    const [, wanted, note = ''] = /^add\s+(\S+)\s+([\s\S]+)$/.exec(args) ?? [];
    const file = memoryFiles(this.#cwd).find(({ scope }) => scope === wanted);
    if (!file || note.trim() === '') return { success: false, message: USAGE };
    await addToMemory(file.path, note.trim());
    this.#added.push(note.trim());
    return { success: true, message: `Remembered in ${file.path}.`, data: { file: file.path } };
  }
}
