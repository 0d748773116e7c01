import type { ExtensionContext } from '../assembly/session-extension.ts';
import { promptResult } from '../commands/prompt-result.ts';
import type { SystemCommand } from '../commands/system-command.ts';

interface PromptCommand {
  readonly name: string;
  readonly description: string;
  readonly prompt: string;
}

/** Commands that submit a predefined prompt. */
export function promptCommands({ submit }: Pick<ExtensionContext, 'submit'>): SystemCommand[] {
  return PROMPTS.map(({ name, description, prompt }) => ({
    name,
    description,
    async execute(_session, args) {
      const input = args === '' ? prompt : `${prompt}\n\nThe user adds: ${args}`;
      const displayInput = args === '' ? `/${name}` : `/${name} ${args}`;
      return promptResult(await submit({ input, displayInput, rawInput: displayInput }));
    },
  }));
}

const PROMPTS: readonly PromptCommand[] = [
  {
    name: 'init',
    description: 'Write AGENTS.md: what an agent should know of this project',
    prompt: `Look at this project and write AGENTS.md in its root, for agents that work here later.
Say what cannot be seen in a minute: how to build, check and test (one test alone, too), how the parts fit together, rules that people keep to and traps they fell into. Find all of it in the files; invent nothing and repeat nothing that the file tree says.
If there is an AGENTS.md or CLAUDE.md already, improve it instead of starting anew. Keep it under 80 lines.`,
  },
  {
    name: 'review',
    description: 'Review the changes of this directory, or what you name',
    prompt: `Review changes in this repository and change nothing.
Unless the user names something else, the changes are those that are not committed (git status, git diff HEAD); where there are none, those of the last commit (git show HEAD).
Read the code around each change before you judge it. Report what is wrong or risky, the worst first: file and line, what goes wrong and when, how to fix it. Leave out matters of taste. Say so when there is nothing to report.`,
  },
];
