import { COMMAND_WORDS, commandHelp } from '../../apps/cli/src/commands/command-help.ts';

/** What `--help` prints for every command and every verb that has a text of its own. */
export function commandsText(): string {
  const texts = Object.entries(COMMAND_WORDS).flatMap(([command, verbs]) => {
    const own = commandHelp([command]);
    const others = verbs.map((verb) => commandHelp([command, verb])).filter((text) => text !== own);
    return [own, ...others];
  });
  const blocks = [...new Set(texts)].map((text) => `\`\`\`text\n${text.trimEnd()}\n\`\`\``);
  return blocks.join('\n\n');
}
