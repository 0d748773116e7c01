import type { Skill } from './skill.ts';

/** What stands behind the placeholders of a skill. */
export interface SkillFilling {
  readonly args: string;
  readonly sessionId: string;
  /** Runs a command of the skill and returns what it printed; a refusal is text too. */
  readonly run: (command: string) => Promise<string>;
}

const COMMAND = /(^|\s)!`([^`\n]+)`/g;

export function hasCommands({ body }: Skill): boolean {
  return body.search(COMMAND) >= 0;
}

/** The skill's text with arguments and outputs of its `!` commands put in. What commands print is not filled again. */
export async function fillSkill(skill: Skill, filling: SkillFilling): Promise<string> {
  const pieces: string[] = [];
  let end = 0;
  for (const match of skill.body.matchAll(COMMAND)) {
    const [whole, before = '', command = ''] = match;
    pieces.push(fillWords(skill.body.slice(end, match.index), skill, filling), before);
    // Arguments never reach a shell: a command runs as its author wrote it.
    pieces.push(await filling.run(command));
    end = match.index + whole.length;
  }
  pieces.push(fillWords(skill.body.slice(end), skill, filling));
  const text = pieces.join('');
  const mentionsArguments = /\$ARGUMENTS|\$\d/.test(skill.body);
  return mentionsArguments || filling.args === '' ? text : `${text}\n\nARGUMENTS: ${filling.args}`;
}

function fillWords(text: string, skill: Skill, { args, sessionId }: SkillFilling): string {
  const words = splitArguments(args);
  return text
    .replaceAll(/\$ARGUMENTS\[(\d+)\]/g, (_all, index: string) => words[Number(index)] ?? '')
    .replaceAll('$ARGUMENTS', () => args)
    .replaceAll(/\$(\d)(?!\d)/g, (_all, index: string) => words[Number(index)] ?? '')
    .replaceAll(/\$\{CLAUDE_SESSION_ID\}/g, () => sessionId)
    .replaceAll(/\$\{CLAUDE_SKILL_DIR\}/g, () => skill.directory);
}

/** Words between blanks; quotes keep blanks together. */
function splitArguments(args: string): string[] {
  return [...args.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
    ([, double, single, plain]) => double ?? single ?? plain ?? '',
  );
}
