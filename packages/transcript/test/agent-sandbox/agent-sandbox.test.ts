import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { AgentSandbox, TranscriptConflictError } from '@robota-sdk/agent-transcript/architectures';
import { expect, it } from 'vitest';
import { temporaryHome } from '../drivers/temporary-home.ts';

const EMPTY = { transcripts: new Map(), workspaceFiles: [] };
const LINE = '{"type":"user","uuid":"u1"}\n';

it('sets up its home once, however often it is started', async () => {
  const { sandbox, home } = makeSandbox();
  const setup = { ...EMPTY, workspaceFiles: [{ path: 'a/b.txt', content: 'text' }] };

  await Promise.all([sandbox.start(setup), sandbox.start(setup)]);

  expect(readFileSync(join(home.workspaceDirectory, 'a/b.txt'), 'utf8')).toBe('text');
  expect(await sandbox.isHealthy()).toBe(true);
});

it('restores transcripts byte for byte, and finds them again', async () => {
  const { sandbox } = makeSandbox();
  const saved = { main: LINE, subagents: [{ id: 'a1', transcript: 'sub\n', meta: '{}' }] };

  await sandbox.start({ ...EMPTY, transcripts: new Map([['s1', saved]]) });

  expect(await sandbox.readSessionTranscripts('s1')).toEqual(saved);
});

it('keeps a longer transcript, completes a shorter one, and rejects a different one', async () => {
  const { sandbox } = makeSandbox();
  const folder = sandbox.getPaths().AGENT_STORAGE_DIR;
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of [
    ['long', LINE + LINE],
    ['short', '{"type"'],
    ['other', 'x\n'],
  ]) {
    writeFileSync(join(folder, `${name}.jsonl`), text ?? '');
  }
  const start = async (name: string) => {
    await sandbox.restart({ ...EMPTY, transcripts: new Map([[name, { main: LINE }]]) });
    return readFileSync(join(folder, `${name}.jsonl`), 'utf8');
  };

  expect(await start('long')).toBe(LINE + LINE);
  expect(await start('short')).toBe(LINE);
  await expect(start('other')).rejects.toThrow(TranscriptConflictError);
  expect(readFileSync(join(folder, 'other.jsonl'), 'utf8')).toBe('x\n');
});

it('detects when its home is lost, and restarts', async () => {
  const { sandbox, home } = makeSandbox();
  await sandbox.start(EMPTY);
  rmSync(home.workspaceDirectory, { recursive: true });
  expect(await sandbox.isHealthy()).toBe(false);

  await sandbox.restart(EMPTY);

  expect(await sandbox.isHealthy()).toBe(true);
});

it('reports changes in the workspace, including deletions', async () => {
  const { sandbox, home } = makeSandbox();
  await sandbox.start(EMPTY);

  await sandbox.writeWorkspaceFile('a.txt', 'one');
  writeFileSync(join(home.workspaceDirectory, 'image.png'), Buffer.from([0, 1, 2]));
  const made = await sandbox.checkWorkspace();
  await sandbox.deleteWorkspaceFile('a.txt');
  const gone = await sandbox.checkWorkspace();

  expect(made).toEqual([
    { kind: 'created', file: { path: 'a.txt', content: 'one' } },
    { kind: 'created', file: { path: 'image.png', content: 'AAEC', encoding: 'base64' } },
  ]);
  expect(gone).toEqual([{ kind: 'deleted', path: 'a.txt' }]);
});

it('rejects paths outside the workspace', async () => {
  const { sandbox, home } = makeSandbox();
  await sandbox.start(EMPTY);

  for (const path of ['../out', '/etc/passwd', '.', 'a/../../out']) {
    await expect(sandbox.writeWorkspaceFile(path, 'x')).rejects.toThrow(/inside the workspace/);
  }
  expect(existsSync(join(home.workspaceDirectory, '..', 'out'))).toBe(false);
});

function makeSandbox() {
  const home = temporaryHome();
  return { home, sandbox: new AgentSandbox({ architecture: 'claude-agent-sdk', home }) };
}
