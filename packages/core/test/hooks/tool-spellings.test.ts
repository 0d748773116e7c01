import { type HookInput, runHooks } from '@robota-sdk/agent-core';
import { describe, expect, it } from 'vitest';
import { hooksFor, inputFor } from './hook-runs.ts';

/** A guard as people have them: Python that reads Claude Code's spelling from stdin. */
const GUARD = `node -e '
let text = "";
process.stdin.on("data", (chunk) => { text += chunk; }).on("end", () => {
  const { tool_input } = JSON.parse(text);
  if (String(tool_input.file_path).endsWith(".env")) {
    console.error("secrets stay closed: " + tool_input.file_path);
    process.exit(2);
  }
});'`;

/** Answers with what an expression over the input gives. */
function answers(updatedInput: string): string {
  return `node -e '
let text = "";
process.stdin.on("data", (chunk) => { text += chunk; }).on("end", () => {
  const input = JSON.parse(text).tool_input;
  console.log(JSON.stringify({ hookSpecificOutput: { hookEventName: "PreToolUse", updatedInput: ${updatedInput} } }));
});'`;
}

function call(tool_name: string, tool_input: HookInput['tool_input'] & object) {
  return inputFor('PreToolUse', { tool_name, tool_input });
}

describe('a guard that reads Claude Code’s spelling', () => {
  it.each([
    ['PreToolUse', { filePath: '/project/.env' }],
    ['PreToolUse', { file_path: '/project/.env' }],
    ['PostToolUse', { filePath: '/project/.env' }],
    ['PostToolUse', { file_path: '/project/.env' }],
  ] as const)('holds at %s whichever spelling the model used: %j', async (event, tool_input) => {
    const outcome = await runHooks(
      hooksFor(event, { type: 'command', command: GUARD }),
      event,
      inputFor(event, { tool_name: 'Read', tool_input }),
    );

    expect(outcome).toMatchObject({ blocked: true, reason: 'secrets stay closed: /project/.env' });
  });

  it('lets other files pass', async () => {
    const outcome = await runHooks(
      hooksFor('PreToolUse', { type: 'command', command: GUARD }),
      'PreToolUse',
      call('Read', { filePath: '/project/a.txt' }),
    );

    expect(outcome).toEqual({ blocked: false, failures: [] });
  });
});

describe('a hook that replaces the input', () => {
  it.each([
    ['their spelling alone', '{ file_path: "/b", content: input.content }'],
    ['our spelling alone', '{ filePath: "/b", content: input.content }'],
    ['both, having changed theirs', '{ ...input, file_path: "/b" }'],
    ['both, having changed ours', '{ ...input, filePath: "/b" }'],
  ])('may answer in %s', async (_what, updated) => {
    const outcome = await runHooks(
      hooksFor('PreToolUse', { type: 'command', command: answers(updated) }),
      'PreToolUse',
      call('Write', { filePath: '/a', content: 'x' }),
    );

    expect(outcome.updatedInput).toEqual({ filePath: '/b', content: 'x' });
  });

  it('may change a list in their spelling', async () => {
    const updated = '{ ...input, allowed_domains: ["b.example"] }';

    const outcome = await runHooks(
      hooksFor('PreToolUse', { type: 'command', command: answers(updated) }),
      'PreToolUse',
      call('WebSearch', { query: 'q', allowedDomains: ['a.example'] }),
    );

    expect(outcome.updatedInput).toEqual({ query: 'q', allowedDomains: ['b.example'] });
  });

  it('is heard by the guard behind it, in both spellings', async () => {
    const outcome = await runHooks(
      hooksFor(
        'PreToolUse',
        { type: 'command', command: answers('{ filePath: "/project/.env" }') },
        { type: 'command', command: GUARD },
      ),
      'PreToolUse',
      call('Read', { filePath: '/project/a.txt' }),
    );

    expect(outcome.reason).toBe('secrets stay closed: /project/.env');
  });
});

it.each([
  ['Task', 'Agent'],
  ['Agent', 'Task'],
  ['Bash', 'BackgroundProcess'],
  ['^Bash$', 'BackgroundProcess'],
])('a matcher %s picks the tool that does the same here: %s', async (matcher, tool_name) => {
  const group = { matcher, hooks: [{ type: 'command' as const, command: 'exit 2' }] };

  const outcome = await runHooks({ PreToolUse: [group] }, 'PreToolUse', call(tool_name, {}));

  expect(outcome.blocked).toBe(true);
});
