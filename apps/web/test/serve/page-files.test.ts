import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openPageFiles } from '../../src/serve/page-files.ts';

let place = '';
let folder = '';
beforeEach(() => {
  place = mkdtempSync(join(tmpdir(), 'robota-page-'));
  folder = join(place, 'page');
  mkdirSync(join(folder, 'assets'), { recursive: true });
  writeFileSync(join(folder, 'index.html'), '<!doctype html>');
  writeFileSync(join(folder, 'assets/index-abc.js'), 'plain');
  writeFileSync(join(folder, 'assets/index-abc.js.br'), 'compressed');
  writeFileSync(join(place, 'outside.js'), 'secret');
});
afterEach(() => rmSync(place, { recursive: true, force: true }));

const text = (path: string, encoding?: string) => {
  const file = openPageFiles(folder).find(path, encoding);
  return file && Buffer.from(file.body).toString();
};

describe('files of the page', () => {
  it.each(['/', '/s/robota/abc', '/s/a/b/t/c', '/usage', '/settings', '/search'])(
    'answers %s with the page',
    (path) => expect(text(path)).toBe('<!doctype html>'),
  );

  it('remembers no name that it did not find, so that requests cannot fill its memory', () => {
    const files = openPageFiles(folder);
    const path = '/assets/late-def.js';

    expect(files.find(path)).toBeUndefined();
    writeFileSync(join(folder, path), 'late');

    expect(Buffer.from(files.find(path)?.body ?? []).toString()).toBe('late');
  });

  it('sends precompressed files to clients that accept them', () => {
    expect(text('/assets/index-abc.js', 'gzip, br')).toBe('compressed');
    expect(text('/assets/index-abc.js', 'gzip')).toBe('plain');
    expect(openPageFiles(folder).find('/assets/index-abc.js', 'br')?.headers).toMatchObject({
      'content-encoding': 'br',
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
    });
  });

  it('forbids external resources', () => {
    const policy = openPageFiles(folder).find('/')?.headers['content-security-policy'];

    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self'");
    expect(policy).toContain("require-trusted-types-for 'script'");
    expect(policy).not.toContain('unsafe');
  });

  it.each([
    '/../outside.js',
    '/assets/../../outside.js',
    '/assets/%2e%2e/outside.js',
    '/assets//outside.js',
    '/index.html.br',
    '/missing.js',
    '/api/sessions',
  ])('has nothing at %s', (path) => expect(text(path)).toBeUndefined());
});
