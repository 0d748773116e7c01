import type { ToolParameters } from '@robota-sdk/agent-core';
import type { TerminalOutput } from '@robota-sdk/agent-session';

const CHOICES = ['Allow', 'Allow always (this session)', 'Deny'];
const MAX_VALUE = 200;

/** Asks on a terminal whether a tool may run; shared by all terminal surfaces. */
export async function promptForApproval(
  terminal: TerminalOutput,
  toolName: string,
  toolArgs: ToolParameters,
): Promise<boolean | 'allow-session'> {
  terminal.writeLine('');
  terminal.writeLine(`[Permission Required] Tool: ${toolName}`);
  for (const line of describeArguments(toolArgs)) terminal.writeLine(`  ${line}`);
  const choice = await terminal.select(CHOICES, CHOICES.length - 1);
  if (choice === 1) return 'allow-session';
  return choice === 0;
}

function describeArguments(toolArgs: ToolParameters): string[] {
  return Object.entries(toolArgs).map(([name, value]) => {
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    return `${name}: ${text.length > MAX_VALUE ? `${text.slice(0, MAX_VALUE)}…` : text}`;
  });
}
