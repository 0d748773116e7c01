// A package's start is one file with a name of its own, and our other packages import that file: an entry between would be
// a file more to find, and that costs Node as much as twenty kilobytes of code. The file has names that parts of its package
// share, so the documented entries pass on only theirs.
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';

const CORE = '@robota-sdk/agent-core';
const SESSION = '@robota-sdk/agent-session';
const TOOLS = '@robota-sdk/agent-tools';
const TRANSCRIPT = '@robota-sdk/agent-transcript';

/**
 * By package: the entry whose part becomes a file, and what the file has besides. A name is as long as the hash that esbuild
 * gives, so that source maps stay right. An entry that others of the list use comes first.
 */
const START_FILES = {
  '@robota-sdk/agent-sdk': [{ entry: 'src/index.ts', file: 'start-up' }],
  [CORE]: [
    { entry: 'src/log/index.ts', file: 'log-base' },
    { entry: 'src/engine.ts', file: 'start-up', besides: 'export*from"./log-base.js";' },
  ],
  [SESSION]: [{ entry: 'src/index.ts', file: 'start-up' }],
  [TOOLS]: [{ entry: 'src/builtins/index.ts', file: 'start-up' }],
  [TRANSCRIPT]: [{ entry: 'src/blocks-entry.ts', file: 'start-up' }],
};
/** By entry: the file that has its names. */
const FILE_OF = {
  [`${CORE}/engine`]: `${CORE}/start-up`,
  [`${CORE}/log`]: `${CORE}/log-base`,
  [SESSION]: `${SESSION}/start-up`,
  [`${TOOLS}/builtins`]: `${TOOLS}/start-up`,
  [`${TRANSCRIPT}/blocks`]: `${TRANSCRIPT}/start-up`,
};
/** For packages that load the start anyway: a second file would be looked for in vain. */
const THROUGH_START = {
  [`${CORE}/log`]: `${CORE}/start-up`,
  [`${TOOLS}/zod`]: `${TOOLS}/start-up`,
};
const LOAD_THE_START = ['@robota-sdk/agent-sdk', SESSION, TOOLS];
const DECLARATION = `/** For the other packages of Robota. Programs import the documented entries. */
export {};
`;

/** What a package imports instead of an entry of another one. */
export function startFileOf(packageName, entry) {
  const through = LOAD_THE_START.includes(packageName) ? THROUGH_START[entry] : undefined;
  return through ?? FILE_OF[entry] ?? entry;
}

/** Gives their names to the files in which esbuild has put what the entries share with the rest of the package. */
export function nameStartFiles(folder, manifest, { outputs }) {
  const named = new Map();
  for (const start of START_FILES[manifest.name] ?? []) {
    named.set(partOf(start, { folder, manifest, outputs, named }), start);
  }
  for (const path of Object.keys(outputs)) {
    let text = readFileSync(join(folder, path), 'utf8');
    for (const [part, { file }] of named) text = text.replaceAll(hashOf(part), file);
    const start = named.get(path.replace(/\.map$/, ''));
    if (start === undefined) {
      writeFileSync(join(folder, path), text);
      continue;
    }
    rmSync(join(folder, path));
    writeFileSync(join(folder, path.replace(hashOf(path), start.file)), withNames(text, start));
  }
  for (const { file } of named.values()) {
    if (!(`./${file}` in manifest.exports)) continue;
    writeFileSync(join(folder, 'dist', `${file}.d.ts`), DECLARATION);
  }
}

function partOf({ entry, file }, { folder, manifest, outputs, named }) {
  const [path, { imports }] = Object.entries(outputs).find(
    ([, { entryPoint }]) => entryPoint === entry,
  );
  const parts = imports.filter(({ external }) => !external).map((each) => each.path);
  const [part, ...others] = parts.filter((each) => !named.has(each));
  if (part === undefined || others.length > 0) {
    throw new Error(`${entry} of ${manifest.name} should have one part: ${parts.join(', ')}`);
  }
  const [, taken] = /^import\{([^}]*)\}/.exec(readFileSync(join(folder, path), 'utf8')) ?? [];
  if (taken === undefined || taken.includes(' as ')) {
    throw new Error(`${entry} of ${manifest.name} has a name that means something else in ${part}`);
  }
  if (hashOf(part).length !== file.length) throw new Error(`${file} is not as long as ${part}`);
  return part;
}

function hashOf(part) {
  return basename(part).replace(/\.js(?:\.map)?$/, '');
}

/** Maps are JSON; of the code, the last line names the map. */
function withNames(text, { besides = '' }) {
  return text.replace(/^(?=\/\/# sourceMappingURL=)/m, besides);
}
