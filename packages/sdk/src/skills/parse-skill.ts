import { dirname } from 'node:path';
import { flagField, namesField, parseFrontmatter, textField } from './frontmatter.ts';
import type { Skill } from './skill.ts';

export interface SkillFile {
  readonly file: string;
  /** The name of the folder or file. */
  readonly fallbackName: string;
  readonly scope: Skill['scope'];
}

/** Parses a skill or command file; without frontmatter the complete text is the body. */
export function parseSkill(text: string, { file, fallbackName, scope }: SkillFile): Skill {
  const { fields, body } = parseFrontmatter(text, file);
  const name = nameOf(textField(fields, 'name') ?? fallbackName, file);
  const argumentHint = textField(fields, 'argument-hint');
  const allowedRules = namesField(fields, 'allowed-tools');
  const allowedTools = allowedRules?.map((rule) => rule.replace(/\(.*$/, ''));
  const model = textField(fields, 'model');
  const agent = textField(fields, 'agent');
  return {
    name,
    description: textField(fields, 'description') ?? `Skill: ${name}`,
    body,
    file,
    directory: dirname(file),
    scope,
    ...(argumentHint && { argumentHint }),
    isModelInvocable: flagField(fields, 'disable-model-invocation') !== true,
    isUserInvocable: flagField(fields, 'user-invocable') !== false,
    ...(allowedTools && { allowedTools }),
    ...(allowedRules && { allowedRules }),
    ...(model && model !== 'inherit' && { model }),
    mode: textField(fields, 'context') === 'fork' ? 'fork' : 'inject',
    ...(agent && { agent }),
  };
}

/** A name is typed after a slash, so it must be a single word. */
function nameOf(written: string, file: string): string {
  const name = written.trim().replaceAll(/\s+/g, '-');
  if (/^[\p{L}\p{N}][\p{L}\p{N}._:-]*$/u.test(name)) return name;
  throw new Error(`Cannot read ${file}: "${written}" cannot be the name of a command`);
}
