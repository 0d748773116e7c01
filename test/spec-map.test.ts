import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '..');
const folder = join(root, 'docs/spec-map');

interface Row {
  readonly id: string;
  readonly files: readonly string[];
  readonly tests: readonly { readonly path: string; readonly name: string }[];
}

describe.each(readdirSync(folder).sort())('spec map page %s', (page) => {
  const rows = rowsOf(readFileSync(join(folder, page), 'utf8'));

  it('covers at least one line', () => {
    expect(rows.length).toBeGreaterThan(0);
  });

  it('names files that exist', () => {
    const missing = rows.flatMap((row) =>
      row.files.filter((path) => !existsSync(join(root, path))).map((path) => `${row.id}: ${path}`),
    );

    expect(missing).toEqual([]);
  });

  it('names tests that exist in their files', () => {
    const missing = rows.flatMap((row) =>
      row.tests
        .filter(({ path, name }) => !hasTest(join(root, path), name))
        .map(({ path, name }) => `${row.id}: ${path} › ${name}`),
    );

    expect(missing).toEqual([]);
  });
});

function rowsOf(text: string): Row[] {
  return text.split('\n').flatMap((line) => {
    const cells = line.split('|').map((cell) => cell.trim());
    const id = cells[1] ?? '';
    if (!/^S\d-\d+/.test(id)) return [];
    return [{ id, files: pathsIn(cells[3] ?? ''), tests: testsIn(cells.slice(4).join('|')) }];
  });
}

function pathsIn(cell: string): string[] {
  return [
    ...cell.matchAll(/(?:packages|apps|test|scripts|docs|examples|bench|tools)\/[\w./-]+\w/g),
  ].map((match) => match[0]);
}

/** `path › name`; several in one cell are separated by semicolons or backticks. */
function testsIn(cell: string): { path: string; name: string }[] {
  const pairs = cell.replace(/\|\s*$/, '').matchAll(/([\w./-]+\.test\.tsx?)`? › `?([^`;]+)/g);
  return [...pairs].map((match) => ({
    path: match[1] ?? '',
    name: (match[2] ?? '').replace(/<br>.*$/, '').trim(),
  }));
}

function hasTest(path: string, name: string): boolean {
  return existsSync(path) && readFileSync(path, 'utf8').replaceAll("\\'", "'").includes(name);
}
