import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { says, scriptedProvider } from '@robota-sdk/agent-core/testing';
import { InteractiveSession } from '@robota-sdk/agent-sdk';
import { expect, it } from 'vitest';
import { useTestPlace } from '../sandbox-home.ts';

const place = useTestPlace();

async function ask(prompt: string, options: { deniedTools?: string[] } = {}) {
  const provider = scriptedProvider(says('ok'));
  const session = new InteractiveSession({ cwd: place.project, provider, ...options });
  await session.submit(prompt);
  await session.shutdown();
  const sent = provider.requests[0]?.at(-1);
  return { sent, session, notices: session.getNotices().map(({ message }) => message) };
}

it('sends the text of mentioned files along and shows what was typed', async () => {
  place.write('src/main.ts', 'const a = 1;\n');
  place.write('with blank.md', 'blank');

  const { sent, session } = await ask('Read (@src/main.ts), @"with blank.md" and @src/main.ts.');

  expect(sent?.content).toBe(
    [
      'Read (@src/main.ts), @"with blank.md" and @src/main.ts.',
      '',
      '<robota_file_references>',
      '<file path="src/main.ts" bytes="13" reason="prompt">',
      'const a = 1;\n',
      '</file>',
      '<file path="with blank.md" bytes="5" reason="prompt">',
      'blank',
      '</file>',
      '</robota_file_references>',
    ].join('\n'),
  );
  expect(session.getMessages()[0]?.content).toBe(
    'Read (@src/main.ts), @"with blank.md" and @src/main.ts.',
  );
  expect(
    session.getFullHistory().find(({ type }) => type === 'prompt-file-reference')?.data,
  ).toEqual({
    files: [
      { path: 'src/main.ts', bytes: 13, kind: 'text' },
      { path: 'with blank.md', bytes: 5, kind: 'text' },
    ],
  });
});

it('leaves alone what is no file: people, decorators, addresses, folders', async () => {
  place.write('src/a.ts', '');
  const prompt = 'Ask @john.doe about @Injectable, me@example.com and @src';

  const { sent, notices } = await ask(prompt);

  expect(sent?.content).toBe(prompt);
  expect(notices).toEqual([]);
});

it('sends images as images', async () => {
  const file = join(place.project, 'dot.png');
  writeFileSync(file, Buffer.from('iVBORw0KGgo=', 'base64'));

  const { sent } = await ask('What is @dot.png?');

  expect(sent?.role === 'user' && sent.parts?.at(-1)).toEqual({
    type: 'image_inline',
    mimeType: 'image/png',
    data: 'iVBORw0KGgo=',
  });
});

it('brings nothing from outside, nothing denied, nothing too large and nothing binary', async () => {
  place.writeHome('secret.txt', 'secret');
  symlinkSync(join(place.home, 'secret.txt'), join(place.project, 'link.txt'));
  place.write('denied.txt', 'denied');
  place.write('large.txt', 'x'.repeat(65 * 1024));
  place.write('binary.bin', 'a\0b');

  const prompt = 'See @../home/secret.txt @link.txt @denied.txt @large.txt @binary.bin';
  const { sent, notices } = await ask(prompt, { deniedTools: ['Read(denied.txt)'] });

  expect(sent?.content).toBe(prompt);
  expect(notices.map((message) => message.split(':')[0])).toEqual([
    'File reference @../home/secret.txt',
    'File reference @link.txt',
    'File reference @denied.txt',
    'File reference @large.txt',
    'File reference @binary.bin',
  ]);
});

it('brings nothing of our own secrets, under any name and whatever is allowed', async () => {
  const vault = place.writeHome('.robota/logs/s.vault', 'the vault');
  place.writeHome('.robota/server-token', 'the token');
  symlinkSync(vault, join(place.project, 'notes.txt'));
  place.writeHome('.robota/settings.json', {
    permissions: { allow: ['Read'], additionalDirectories: [place.home] },
  });

  const prompt = `See @${vault} @../home/.robota/server-token @notes.txt`;
  const { sent, notices } = await ask(prompt);

  expect(sent?.content).toBe(prompt);
  expect(notices).toEqual([
    expect.stringContaining('secrets of this program'),
    expect.stringContaining('secrets of this program'),
    expect.stringContaining('secrets of this program'),
  ]);
});

it('brings at most eight files and 256 KiB', async () => {
  for (let file = 0; file < 9; file++) place.write(`s${file}.txt`, 'x');
  for (let file = 0; file < 5; file++) place.write(`l${file}.txt`, 'x'.repeat(60 * 1024));

  const many = await ask(Array.from({ length: 9 }, (_, index) => `@s${index}.txt`).join(' '));
  const much = await ask(Array.from({ length: 5 }, (_, index) => `@l${index}.txt`).join(' '));

  expect(many.notices).toEqual(['File reference @s8.txt: only 8 files go with one prompt.']);
  expect(much.notices).toEqual([
    'File reference @l4.txt: the files of one prompt may have 256 KiB together.',
  ]);
});
