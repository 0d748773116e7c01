import { namesField, parseFrontmatter, textField } from '../skills/frontmatter.ts';
import type { AgentDefinition } from './agent-definition.ts';

/** Parses an agent file; throws an error that names the file when it is invalid. */
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
    // Claude Code writes `*` for all tools, which equals no list.
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

/** The tool name of a rule such as `Bash(git *)`. */
function bareName(rule: string): string {
  return rule.replace(/\(.*$/, '');
}
