/** A program that uses all that the packages load late: the shell parser, patterns of paths, front matter and the validator. */
export const USES_LATE_PARTS = `
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { evaluatePermission } from '@robota-sdk/agent-core';
import { InteractiveSession, SkillCommandSource } from '@robota-sdk/agent-sdk';
import { createZodFunctionTool } from '@robota-sdk/agent-tools';
import { z } from 'zod';

const loaded = () =>
  Object.keys(createRequire(import.meta.url).cache).filter((path) => path.endsWith('.cjs'));
const cwd = mkdtempSync(join(tmpdir(), 'robota-late-'));
mkdirSync(join(cwd, '.claude/skills/greet'), { recursive: true });

const reply = { id: '1', timestamp: new Date(), state: 'complete', role: 'assistant', content: 'Hi.' };
const session = new InteractiveSession({ cwd, provider: { name: 'one', chat: async () => reply } });
await session.submit('Hello');
await session.shutdown();
const early = loaded();

writeFileSync(
  join(cwd, '.claude/skills/greet/SKILL.md'),
  ['---', 'name: greet', 'description: Greets', '---', 'Greet.'].join('\\n'),
);
const double = createZodFunctionTool('Double', 'Doubles', z.object({ n: z.number() }), ({ n }) => 2 * n);
const lists = { cwd, deny: ['Bash(rm:*)', 'Read(**/*.env)'] };
console.log(
  JSON.stringify({
    early,
    command: evaluatePermission('Bash', { command: 'ls && (rm -rf x)' }, 'bypassPermissions', lists),
    path: evaluatePermission('Read', { filePath: join(cwd, 'a/b.env') }, 'bypassPermissions', lists),
    skills: new SkillCommandSource(cwd).getCommands().map(({ description }) => description),
    doubled: (await double.execute({ n: 2 })).data,
    refused: (await double.execute({ n: 'two' })).success,
  }),
);
rmSync(cwd, { recursive: true, force: true });
`;

/** What it writes, whether Node loads the packages or a bundler has put them into one file. */
export const LATE_PARTS_OUTPUT = {
  early: [],
  command: 'deny',
  path: 'deny',
  skills: ['Greets'],
  doubled: 4,
  refused: false,
};
