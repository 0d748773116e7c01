import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { PromptHistoryFile } from '../../src/terminal/prompt-history-file.ts';

let folder: string;
const path = () => join(folder, 'inner/prompts.jsonl');

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'robota-history-'));
});

afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

it('gives back what was added, readable only by the user, and nothing before that', async () => {
  const history = new PromptHistoryFile(path());
  expect(await history.load()).toEqual([]);

  await history.add('one\ntwo');
  await history.add('three');

  expect(await history.load()).toEqual(['one\ntwo', 'three']);
  expect(statSync(path()).mode & 0o777).toBe(0o600);
});

it('reads the end of a file that has become very long, and skips damaged lines', async () => {
  const history = new PromptHistoryFile(path());
  await history.add('first');
  const long = JSON.stringify('x'.repeat(3 * 1024 * 1024));
  writeFileSync(path(), `${long}\n{"no": "text"}\nhalf"\n"last"\n`);

  expect(await history.load()).toEqual(['last']);
});
