import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { previewEdit } from '../../src/terminal/edit-preview.ts';
import { createPlace, type Place } from '../support/run-robota.ts';

let place: Place;

beforeEach(() => {
  place = createPlace();
});

afterEach(() => {
  place[Symbol.dispose]();
});

const shown = (toolName: string, input: Readonly<Record<string, unknown>>) =>
  previewEdit({ toolName, input, cwd: place.project })?.lines.map(
    ({ sign, text, oldLine, newLine }) => `${newLine ?? oldLine ?? ''}${sign}${text}`,
  );

const write = (text: string) => writeFileSync(join(place.project, 'a.txt'), text);

it('numbers an edit by the file and shows the lines around it', () => {
  write('1\n2\n3\n4\nhello world\n6\n7\n8\n9\n');

  expect(shown('Edit', { filePath: 'a.txt', oldString: 'hello', newString: 'bye' })).toEqual([
    '2 2',
    '3 3',
    '4 4',
    '5-hello world',
    '5+bye world',
    '6 6',
    '7 7',
    '8 8',
  ]);
});

it('takes Claude’s spelling, CRLF files and every occurrence', () => {
  write('one\r\ntwo\r\none\r\n');

  expect(
    shown('Edit', { file_path: 'a.txt', old_string: 'one', new_string: 'ONE', replace_all: true }),
  ).toEqual(['1-one', '1+ONE', '2 two', '3-one', '3+ONE']);
});

it('shows what a Write would replace, and a new file whole', () => {
  write('old\nkept\n');

  expect(shown('Write', { filePath: 'a.txt', content: 'new\nkept\n' })).toEqual([
    '1-old',
    '1+new',
    '2 kept',
  ]);
  expect(shown('Write', { filePath: 'b.txt', content: 'new\n' })).toEqual(['1+new']);
});

it('shows no change that will not happen', () => {
  write('text\n');

  expect(shown('Edit', { filePath: 'a.txt', oldString: 'gone', newString: 'x' })).toBeUndefined();
  expect(shown('Read', { filePath: 'a.txt' })).toBeUndefined();
});
