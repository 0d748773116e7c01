import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeNewFile } from '@robota-sdk/agent-transcript/architectures';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../drivers/temporary-home.ts';

it('writes a complete file and returns its size and hash', async () => {
  const path = join(temporaryFolder(), 'new', 'session.jsonl');
  const lines = Array.from({ length: 3000 }, (_, index) => `${index} ${'ä'.repeat(400)}`);

  const written = await writeNewFile(path, lines);

  const content = readFileSync(path);
  const sha256 = createHash('sha256').update(content).digest('hex');
  expect(content.toString('utf8')).toBe(`${lines.join('\n')}\n`);
  expect(written).toEqual({ path, bytes: content.length, sha256 });
});

it('never touches an existing file, and leaves nothing behind on failure', async () => {
  const folder = temporaryFolder();
  const path = join(folder, 'session.jsonl');
  await writeNewFile(path, ['first']);

  await expect(writeNewFile(path, ['second'])).rejects.toMatchObject({ code: 'EEXIST' });
  await expect(writeNewFile(join(folder, 'other.jsonl'), failing())).rejects.toThrow('no more');

  expect(readFileSync(path, 'utf8')).toBe('first\n');
  expect(readdirSync(folder)).toEqual(['session.jsonl']);
});

function* failing(): Iterable<string> {
  yield 'one';
  throw new Error('no more');
}
