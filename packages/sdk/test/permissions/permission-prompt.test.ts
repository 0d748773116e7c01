import { promptForApproval, type TerminalOutput } from '@robota-sdk/agent-sdk';
import { expect, it } from 'vitest';

function terminalChoosing(choice: number): {
  terminal: TerminalOutput;
  lines: string[];
  options: unknown[];
} {
  const lines: string[] = [];
  const options: unknown[] = [];
  const terminal: TerminalOutput = {
    write() {},
    writeLine: (line) => void lines.push(line),
    writeMarkdown() {},
    writeError() {},
    prompt: () => Promise.resolve(''),
    select: (...given) => {
      options.push(given);
      return Promise.resolve(choice);
    },
    spinner: () => ({ stop() {}, update() {} }),
  };
  return { terminal, lines, options };
}

it.each([
  [0, true],
  [1, 'allow-session'],
  [2, false],
])('choice %i means %s', async (choice, answer) => {
  expect(await promptForApproval(terminalChoosing(choice).terminal, 'Bash', {})).toBe(answer);
});

it('shows the tool and its arguments, long ones shortened, and starts on Deny', async () => {
  const { terminal, lines, options } = terminalChoosing(2);

  await promptForApproval(terminal, 'Write', {
    filePath: 'a.txt',
    content: 'x'.repeat(500),
    lines: [1],
  });

  expect(lines).toEqual([
    '',
    '[Permission Required] Tool: Write',
    '  filePath: a.txt',
    `  content: ${'x'.repeat(200)}…`,
    '  lines: [1]',
  ]);
  expect(options).toEqual([[['Allow', 'Allow always (this session)', 'Deny'], 2]]);
});
