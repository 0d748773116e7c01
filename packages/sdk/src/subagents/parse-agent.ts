import { namesField, parseFrontmatter, textField } from '../skills/frontmatter.ts';
import type { AgentDefinition } from './agent-definition.ts';

/** Reads an agent file; what makes it unusable is an error that names the file. */
export function parseAgent(text: string, file: string, fallbackName: string): AgentDefinition {
  const { fields, body } = parseFrontmatter(text, file);
  if (body === '') throw new Error(`Cannot read ${file}: an agent needs a text that instructs it`);
  const name = textField(fields, 'name') ?? fallbackName;
  const model = textField(fields, 'model');
  const maxTurns = turnsOf(fields.maxTurns, file);
  const tools = namesField(fields, 'tools')?.map(bareName);
  const disallowedTools = namesField(fields, 'disallowedTools')?.map(bareName);
  return {
    name,
    description: textField(fields, 'description') ?? `Agent: ${name}`,
    systemPrompt: body,
    ...(model !== undefined && model !== 'inherit' && { model }),
    ...(maxTurns !== undefined && { maxTurns }),
    // Claude Code writes `*` for every tool, which is what no list means.
    ...(tools && !tools.includes('*') && { tools }),
    ...(disallowedTools && { disallowedTools }),
    file,
  };
}

function turnsOf(value: unknown, file: string): number | undefined {
  if (value === undefined) return undefined;
  const turns = Number(value);
  if (Number.isInteger(turns) && turns > 0) return turns;
  throw new Error(`Cannot read ${file}: maxTurns is not a whole number above 0`);
}

/** A rule such as `Bash(git *)` names its tool. */
function bareName(rule: string): string {
  return rule.replace(/\(.*$/, '');
}
