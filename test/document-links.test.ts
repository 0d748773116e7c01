import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '..');
const FOLDERS = ['.', 'docs', 'docs/guide', 'docs/decisions', 'docs/spec-map', ...packages()];
const DOCUMENTS = FOLDERS.flatMap((folder) =>
  readdirSync(join(ROOT, folder))
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(folder, name)),
);
const LINK = /\]\(([^)\s]+)\)/g;
const PATH = /`((?:packages|apps|tools|test|docs|examples|bench|scripts|src)\/[\w./-]+)`/g;

it.each(DOCUMENTS)('every link and path of %s leads somewhere', (document) => {
  const text = readFileSync(join(ROOT, document), 'utf8').replaceAll(/^```[\s\S]*?^```/gm, '');
  const links = allOf(text, LINK).filter((link) => !/^\w+:/.test(link));
  // Decisions tell of what was there when they were taken; `src` is a package's own only in its README.
  const paths = document.includes('decisions') ? [] : allOf(text, PATH).filter(isMeant(document));

  expect({
    links: links.filter((link) => !leadsSomewhere(document, link)),
    paths: paths.filter((path) => !isThere(document, path)),
  }).toEqual({ links: [], paths: [] });
});

function allOf(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].map(([, found = '']) => found);
}

function leadsSomewhere(document: string, link: string): boolean {
  const [path = '', heading] = link.split('#');
  const target = path === '' ? document : join(dirname(document), path);
  if (!existsSync(join(ROOT, target))) return false;
  return heading === undefined || headingsOf(target).includes(heading);
}

/** Headings as anchors, as code hosts spell them. */
function headingsOf(document: string): string[] {
  const text = readFileSync(join(ROOT, document), 'utf8');
  return allOf(text, /^#+ (.*)$/gm).map((heading) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

function isMeant(document: string): (path: string) => boolean {
  return (path) => !path.startsWith('src/') || /^(?:packages|apps)/.test(document);
}

/** Paths are written from the root, or from the package whose README it is. */
function isThere(document: string, path: string): boolean {
  return ['', dirname(document)].some((folder) => existsSync(join(ROOT, folder, path)));
}

function packages(): string[] {
  return ['packages', 'apps'].flatMap((parent) =>
    readdirSync(join(ROOT, parent)).map((name) => join(parent, name)),
  );
}
