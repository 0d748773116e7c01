// The public surface of every published library, as text: each entry, each name, what it is. Made of the declarations
// that `tsc -b` writes. `npm run surface` renews docs/surface; test/surface.test.ts compares.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { argv, stdout } from 'node:process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const EXPORT_LIST = /^export (?:type )?\{([^}]*)\}(?: from ['"]([^'"]+)['"])?;/gm;
const DECLARATION =
  /^(?:export )?(?:declare )?(?:abstract )?(class|interface|type|function|const|let|enum) (\w+)/gm;

export const LIBRARIES = readdirSync(join(root, 'packages')).sort();

export function surfacePath(library) {
  return join(root, 'docs/surface', `${library}.txt`);
}

/** Every exported name of a library: where it is declared, whether it has a comment, and its declaration. */
export function readSurface(library) {
  const folder = join(root, 'packages', library);
  const { name, exports } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  return Object.entries(exports).flatMap(([path, target]) => {
    const source = target['robota-source'];
    if (source === undefined) return [];
    const file = declarationOf(join(folder, source));
    const names = exportsOf(file);
    return [{ entry: join(name, path), names: names.sort((a, b) => (a.name < b.name ? -1 : 1)) }];
  });
}

export function describeSurface(library) {
  return readSurface(library)
    .map(({ entry, names }) => [`# ${entry}`, ...names.map(describeName)].join('\n\n'))
    .join('\n\n')
    .concat('\n');
}

function describeName({ name, text }) {
  return text.replace(/^export /, '').replace(/^declare /, '') || name;
}

/** The names that one declaration file exports, followed to where they are declared. */
function exportsOf(file) {
  const text = readFileSync(file, 'utf8');
  const listed = [...text.matchAll(EXPORT_LIST)].flatMap(([, list, from]) =>
    list
      .split(',')
      .map((item) => item.trim().replace(/^type /, ''))
      .filter(Boolean)
      .map((item) => {
        const [original, name = original] = item.split(' as ');
        return { name, ...find(from === undefined ? file : target(file, from), original) };
      }),
  );
  const own = [...text.matchAll(DECLARATION)]
    .filter(([found]) => found.startsWith('export '))
    .map(([, , name]) => ({ name, ...find(file, name) }));
  return [...listed, ...own.filter(({ name }) => !listed.some((each) => each.name === name))];
}

/** A declaration, with whether a comment stands before it. */
function find(file, name) {
  if (file === undefined) return { file: undefined, hasComment: true, text: '' };
  const text = readFileSync(file, 'utf8');
  for (const match of text.matchAll(DECLARATION)) {
    if (match[2] !== name) continue;
    const hasComment = /\*\/\s*$/.test(text.slice(0, match.index));
    return { file: relative(root, file), hasComment, text: declarationAt(text, match) };
  }
  const listed = [...text.matchAll(EXPORT_LIST)].find(([, list]) =>
    new RegExp(`\\b${name}\\b`).test(list),
  );
  if (listed?.[2] !== undefined) {
    const item = listed[1].split(',').find((each) => new RegExp(`\\b${name}\\b`).test(each));
    const original = item
      .trim()
      .replace(/^type /, '')
      .split(' as ')[0];
    return find(target(file, listed[2]), original);
  }
  throw new Error(`${name} is not declared in ${file}`);
}

/** The file that an import leads to; undefined where it belongs to somebody else. */
function target(file, specifier) {
  if (specifier.startsWith('.')) return declarationOf(resolve(dirname(file), specifier));
  const match = /^@robota-sdk\/agent-([\w-]+)(\/.*)?$/.exec(specifier);
  if (match === null) return undefined;
  const folder = join(root, 'packages', match[1]);
  const { exports } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  return declarationOf(join(folder, exports[`.${match[2] ?? ''}`]['robota-source']));
}

function declarationOf(source) {
  return source.replace(/\/src\//, '/.build/').replace(/\.tsx?$/, '.d.ts');
}

/** From the first word to the end of the declaration, without comments. */
function declarationAt(text, { index, 1: kind }) {
  const hasBody = kind === 'class' || kind === 'interface' || kind === 'enum';
  const rest = text.slice(index).replaceAll(/\/\*[\s\S]*?\*\/\s*/g, '');
  let depth = 0;
  for (let at = 0; at < rest.length; at++) {
    const character = rest[at];
    if ('{[('.includes(character)) depth += 1;
    if ('}])'.includes(character)) depth -= 1;
    if (depth !== 0) continue;
    if (character === ';' || (hasBody && character === '}')) return tidy(rest.slice(0, at + 1));
  }
  return tidy(rest);
}

function tidy(declaration) {
  return declaration
    .split('\n')
    .filter((line) => !/^\s*#private;$/.test(line) && line.trim() !== '')
    .join('\n');
}

if (argv[1] === fileURLToPath(import.meta.url)) {
  mkdirSync(join(root, 'docs/surface'), { recursive: true });
  for (const library of LIBRARIES) writeFileSync(surfacePath(library), describeSurface(library));
  stdout.write(`${LIBRARIES.length} libraries in docs/surface\n`);
}
