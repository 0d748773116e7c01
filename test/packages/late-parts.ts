/** A first session, and nothing else. */
export const FIRST_SESSION = `
import { InteractiveSession } from '@robota-sdk/agent-sdk';

const reply = { id: '1', timestamp: new Date(), state: 'complete', role: 'assistant', content: 'Hi.' };
const session = new InteractiveSession({ cwd: '.', provider: { name: 'one', chat: async () => reply } });
const { status } = await session.submit('Hello');
await session.shutdown();
const modules = ['crypto', 'stream', 'child_process', 'os', 'timers/promises'];
const loaded = modules.filter((name) => process.moduleLoadList.includes('NativeModule ' + name));
console.log(JSON.stringify({ status, loaded }));
`;

/** The ids of more messages than the first random bytes are enough for. */
export const MANY_IDS = `
import { createUserMessage } from '@robota-sdk/agent-core';

console.log(JSON.stringify(Array.from({ length: 40 }, () => createUserMessage('Hello').id)));
`;

/**
 * A program that uses everything the packages load on demand: permissions, search, the shell parser, path patterns,
 * front matter, the validator, and public classes.
 */
export const USES_LATE_PARTS = `
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { evaluatePermission } from '@robota-sdk/agent-core';
import {
  InteractiveSession, ObjectOutputError, SessionHost, SkillCommandSource,
} from '@robota-sdk/agent-sdk';
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
const search = { name: 'Grep', arguments: JSON.stringify({ pattern: 'Greets' }) };
const asked = { ...reply, content: null, toolCalls: [{ id: 'c', type: 'function', function: search }] };
let found;
const chat = async (messages) => {
  const answer = messages.find(({ role }) => role === 'tool');
  if (answer === undefined) return asked;
  found = JSON.parse(answer.content);
  return reply;
};
const caller = new InteractiveSession({ cwd, provider: { name: 'two', chat } });
await caller.submit('Who greets?');
await caller.shutdown();
const double = createZodFunctionTool('Double', 'Doubles', z.object({ n: z.number() }), ({ n }) => 2 * n);
class OwnHost extends SessionHost {
  greeting = 'Hi';
}
const defaults = { cwd, provider: { name: 'three', chat: async () => reply } };
const host = new OwnHost({ defaults });
const hosted = await host.create();
await host.closeAll();
const kinds = [
  host instanceof OwnHost,
  host instanceof SessionHost,
  new SessionHost({ defaults }) instanceof SessionHost,
  hosted instanceof SessionHost,
  new ObjectOutputError('', 'none', {}) instanceof Error,
  Object.hasOwn(SessionHost.prototype, 'create'),
  Object.keys(Object.getOwnPropertyDescriptors(SessionHost)).includes('prototype'),
];
const lists = { cwd, deny: ['Bash(rm:*)', 'Read(**/*.env)'] };
console.log(
  JSON.stringify({
    early,
    found: relative(cwd, found.output),
    command: evaluatePermission('Bash', { command: 'ls && (rm -rf x)' }, 'bypassPermissions', lists),
    path: evaluatePermission('Read', { filePath: join(cwd, 'a/b.env') }, 'bypassPermissions', lists),
    skills: new SkillCommandSource(cwd).getCommands().map(({ description }) => description),
    doubled: (await double.execute({ n: 2 })).data,
    refused: (await double.execute({ n: 'two' })).success,
    host: [SessionHost.name, host.greeting, ...kinds],
  }),
);
rmSync(cwd, { recursive: true, force: true });
`;

/** Its output, the same for Node and for a single-file bundle. */
export const LATE_PARTS_OUTPUT = {
  early: [],
  found: '.claude/skills/greet/SKILL.md',
  command: 'deny',
  path: 'deny',
  skills: ['Greets'],
  doubled: 4,
  refused: false,
  host: ['SessionHost', 'Hi', true, true, true, false, true, true, true],
};

/** The stack of a mistake that is noticed inside of a package. */
export const SHOWS_STACK = `
import { createQuery } from '@robota-sdk/agent-sdk';

try {
  createQuery({});
} catch (error) {
  console.log(JSON.stringify(error.stack));
}
`;
