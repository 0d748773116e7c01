import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import {
  claudeLines,
  claudePath,
  writeLines,
} from '../../../packages/archive/test/generated-home.ts';
import { ageFile } from './support/age-file.ts';
import { createPlace, type Place, runRobota } from './support/run-robota.ts';

let place: Place;

beforeEach(() => {
  place = createPlace();
});

afterEach(() => {
  place[Symbol.dispose]();
});

const ID = '11111111-2222-4333-8444-555555555555';
const lines = claudeLines(
  [
    {
      id: 'one',
      prompt: 'first words',
      answer: 'done',
      tool: { command: 'ls', output: 'a.ts' },
    },
    { id: 'two', prompt: 'second words', answer: 'done again' },
  ],
  { sessionId: ID },
);

/** As a crash between a call and its result leaves it. */
function writeTorn(): string {
  const path = claudePath(place.home, ID);
  writeLines(
    path,
    lines.filter((_, index) => index !== 2),
  );
  ageFile(path);
  return path;
}

it('finds a catalogue that says what the transcripts say', async () => {
  const path = claudePath(place.home, ID);
  writeLines(path, lines);
  ageFile(path);

  const { code, stdout } = await runRobota(place, ['doctor']);

  expect(code).toBe(0);
  expect(stdout).toContain('✓ Catalogue: 1 sessions');
  expect(stdout).toContain('✓ Transcripts: 1 of 1');
});

it('names a transcript that its own program would refuse, and writes nothing unless told to', async () => {
  writeTorn();

  const { code, stdout } = await runRobota(place, ['doctor']);

  expect(code).toBe(0);
  expect(stdout).toMatch(/· Claude Code 1{8}-.*has no result, although the conversation continues/);
  expect(stdout).toContain('--repair');
  expect((await runRobota(place, ['validate', ID])).code).toBe(1);
});

it('writes a repaired copy below our home and leaves the transcript alone', async () => {
  const path = writeTorn();
  const before = readFileSync(path, 'utf8');

  const { stdout } = await runRobota(place, ['doctor', '--repair']);

  const copy = join(place.home, '.robota/repaired/claude', `${ID}.jsonl`);
  expect(stdout).toContain(copy);
  expect(readFileSync(copy, 'utf8')).toContain('tool_result');
  expect(readFileSync(path, 'utf8')).toBe(before);
});

it('says what was deleted when, and still counts it', async () => {
  const path = claudePath(place.home, ID);
  writeLines(path, lines);
  const before = await runRobota(place, ['usage', '--json']);
  rmSync(path);

  const { stdout } = await runRobota(place, ['doctor']);
  const after = await runRobota(place, ['usage', '--json']);

  expect(stdout).toMatch(/· Deleted: Claude Code 1{8}\S+ "first words", found deleted on \d{4}-/);
  expect(JSON.parse(after.stdout).total).toEqual(JSON.parse(before.stdout).total);
});

it('names small files that are damaged, and everything else goes on', async () => {
  const path = claudePath(place.home, ID);
  writeLines(path, lines);
  ageFile(path);
  const own = join(place.home, '.robota');
  const record = join(own, 'hand-overs/00000000-0000-4000-8000-000000000001.json');
  mkdirSync(join(own, 'hand-overs'), { recursive: true });
  for (const file of [join(own, 'labels.json'), join(own, 'trust.json'), record]) {
    writeFileSync(file, '{"cut');
  }

  const { code, stdout } = await runRobota(place, ['doctor']);
  const found = await runRobota(place, ['search', 'second']);
  const answered = await runRobota(place, ['-p', 'hello']);
  const renamed = await runRobota(place, ['sessions', 'rename', `claude:${ID}`, 'New name']);
  const listed = await runRobota(place, ['sessions', '--all']);

  expect(code).toBe(1);
  expect(stdout).toContain(`✗ Labels: ${join(own, 'labels.json')} does not contain labels`);
  expect(stdout).toContain(`✗ Trust: ${join(own, 'trust.json')} is not a JSON object.`);
  expect(stdout).toContain(`✗ Hand-over: ${record} cannot be read`);
  expect(stdout).toContain('✓ Catalogue: 1 sessions');
  expect(found).toMatchObject({ code: 0 });
  expect(found.stderr).toContain('names, pins and archive flags are not shown');
  expect(answered).toMatchObject({ code: 0 });
  expect(answered.stderr).toContain('No directory is trusted until it is mended.');
  expect(renamed).toMatchObject({ code: 0 });
  expect(listed.stdout).toContain('New name');
  expect(listed.stderr).toBe('');
  const kept = readdirSync(own).filter((name) => name.startsWith('labels.json.damaged-'));
  expect(kept.map((name) => readFileSync(join(own, name), 'utf8'))).toEqual(['{"cut']);
});
