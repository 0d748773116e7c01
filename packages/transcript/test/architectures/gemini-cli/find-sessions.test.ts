import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { findAgentSessions, resumeCommand } from '@robota-sdk/agent-transcript/architectures';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { CONTEXT, GeminiChat } from './gemini-chat.ts';
import { recording } from './recordings.ts';

let home: string;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'robota-gemini-'));
});

afterEach(() => {
  rmSync(home, { recursive: true });
});

it('finds the session of a project, not the file that a resume left behind', async () => {
  const chats = projectWith('11-resume:12', '/home/tester/proj');

  expect(await find()).toEqual([
    {
      type: 'gemini-cli',
      id: 'fbad7fc6-6397-4bb0-919a-1bdd9d722eb8',
      path: join(chats, 'session-1794777711851-fbad7fc6.jsonl'),
      cwd: '/home/tester/proj',
      preview: 'first prompt',
      updatedAt: expect.any(Number),
    },
  ]);
});

it('finds chats from before 0.39 with their directory, and prefers the JSON lines of a resumed one', async () => {
  const chats = projectWith('legacy-0.38.2/tools');
  const [old] = await find();
  writeFileSync(
    old?.path.replace('.json', '.jsonl') ?? '',
    new GeminiChat('new').raw(CONTEXT).user('u', 'Since').text,
  );

  expect(old).toMatchObject({ id: '69e55243-faad-41ac-ba37-4f5c3fcdf586', preview: 'read' });
  expect(await find()).toMatchObject([
    {
      id: 'new',
      preview: 'Since',
      cwd: '/home/tester/proj',
      path: join(chats, 'session-2026-11-15T21-33-69e55243.jsonl'),
    },
  ]);
});

it('lists a session whose only prompt failed, by that prompt', async () => {
  projectWith('13-api-errors:400');

  expect(await find()).toMatchObject([{ preview: 'hi' }]);
});

it('respects GEMINI_CLI_HOME', async () => {
  projectWith('01-text');

  const found = findAgentSessions({
    agents: ['gemini-cli'],
    home: '/nowhere',
    environment: { GEMINI_CLI_HOME: home },
  });

  expect(await collect(found)).toMatchObject([{ preview: 'say hello' }]);
});

it('finds nothing where the program never ran', async () => {
  expect(await find()).toEqual([]);
});

it('resumes a session by its id', () => {
  expect(resumeCommand('gemini-cli', 's1')).toEqual(['gemini', '--resume', 's1']);
});

function projectWith(name: string, root?: string): string {
  const project = join(home, '.gemini', 'tmp', 'proj');
  const chats = join(project, 'chats');
  mkdirSync(project, { recursive: true });
  cpSync(dirname(recording(name).path), chats, { recursive: true });
  if (root !== undefined) writeFileSync(join(project, '.project_root'), `${root}\n`);
  return chats;
}

function find() {
  return collect(findAgentSessions({ agents: ['gemini-cli'], home, environment: {} }));
}

async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = [];
  for await (const item of items) all.push(item);
  return all;
}
