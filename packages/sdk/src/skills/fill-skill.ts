import type { Skill } from './skill.ts';

/** Values for the placeholders of a skill. */
export interface SkillFilling {
  readonly args: string;
  readonly sessionId: string;
  /** Runs a command of the skill and resolves with its output; a refusal is returned as text too. */
  readonly run: (command: string) => Promise<string>;
}

const COMMAND = /(^|\s)!`([^`\n]+)`/g;

export function hasCommands({ body }: Skill): boolean {
  return body.search(COMMAND) >= 0;
}

/** The skill's text with arguments and `!` command outputs inserted; placeholders in an output are not expanded. */
export async function fillSkill(skill: Skill, filling: SkillFilling): Promise<string> {
  const pieces: string[] = [];
  let end = 0;
  for (const match of skill.body.matchAll(COMMAND)) {
    const [matched, before = '', command = ''] = match;
    pieces.push(fillPlaceholders(skill.body.slice(end, match.index), skill, filling), before);
    // Arguments never reach a shell: a command runs as its author wrote it.
    pieces.push(await filling.run(command));
    end = match.index + matched.length;
  }
  pieces.push(fillPlaceholders(skill.body.slice(end), skill, filling));
  const text = pieces.join('');
  const mentionsArguments = /\$ARGUMENTS|\$\d/.test(skill.body);
  return mentionsArguments || filling.args === '' ? text : `${text}\n\nARGUMENTS: ${filling.args}`;
}

function fillPlaceholders(text: string, skill: Skill, { args, sessionId }: SkillFilling): string {
  const words = splitArguments(args);
  return text
    .replaceAll(/\$ARGUMENTS\[(\d+)\]/g, (_all, index: string) => words[Number(index)] ?? '')
    .replaceAll('$ARGUMENTS', () => args)
    .replaceAll(/\$(\d)(?!\d)/g, (_all, index: string) => words[Number(index)] ?? '')
    .replaceAll(/\$\{CLAUDE_SESSION_ID\}/g, () => sessionId)
    .replaceAll(/\$\{CLAUDE_SKILL_DIR\}/g, () => skill.directory);
}

/** Splits at spaces, except inside quotes. */
function splitArguments(args: string): string[] {
  return [...args.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
    ([, double, single, plain]) => double ?? single ?? plain ?? '',
  );
}
