// Shortens the names of parameters and local variables in one of our sources, which V8 would read at every start. All names
// that people see stay: of functions and classes at the top level, of members, private ones included.
import { Buffer } from 'node:buffer';
import { basename, join } from 'node:path';
import { build, transform } from 'esbuild';

const TARGET = 'node20.19';
/** As long as what it stands for. */
const IMPORT_META_URL = 'importMetaUrl__';
const HEAD = /^(?:import|export)\b(?:\s[^;]*?)?\s"[^"]+";\n/gm;
const EXPORT = /^export (?=(?:(?:async )?function\*? |class |const )([\w$]+))/gm;
const EXPORT_LIST = /^export \{([^}]*)\};\n/gm;
/** A letter that no source has: it stands for the `#` of private names, which esbuild would shorten. */
const PRIVATE = '\u16dd';

/** The source as JavaScript, with a source map inside. */
export async function shortenLocals(text, path) {
  const { code, map, exported } = await toJavaScript(text, path);
  if (code.includes(PRIVATE)) throw new Error(`${path} uses ${PRIVATE}`);
  const heads = [];
  const names = [];
  const empty = (found) => found.replace(/[^\n]/g, '');
  // Without imports and exports it is a script, and esbuild keeps the names of its top level. Lines and columns stay.
  const script = code
    .replace(HEAD, (found) => {
      heads.push(found.replaceAll('\n', ' '));
      return empty(found);
    })
    .replace(EXPORT_LIST, (found, list) => {
      names.push(...namesIn(list));
      return empty(found);
    })
    .replace(EXPORT, (found, name) => {
      names.push(name);
      return ' '.repeat(found.length);
    })
    .replaceAll('import.meta.url', IMPORT_META_URL)
    .replaceAll(/#(?=[A-Za-z_])/g, PRIVATE);
  assertExports(path, exported, [...names, ...heads.flatMap(passedOn)].map(publicName));
  const short = await transform(`"use strict";\n${script}${inline(map, 1)}`, {
    sourcefile: basename(path),
    sourcemap: 'external',
    sourcesContent: false,
    minifyIdentifiers: true,
    charset: 'utf8',
    target: TARGET,
  });
  const back = short.code
    .replace('"use strict";', () => heads.join(''))
    .replaceAll(IMPORT_META_URL, 'import.meta.url')
    .replaceAll(PRIVATE, '#');
  return `${back}export { ${names.join(', ')} };\n${inline(JSON.parse(short.map), 0)}`;
}

async function toJavaScript(contents, path) {
  const { outputFiles, metafile } = await build({
    stdin: { contents, sourcefile: path, loader: path.endsWith('x') ? 'tsx' : 'ts' },
    outfile: 'source.js',
    write: false,
    metafile: true,
    sourcemap: 'external',
    sourcesContent: false,
    format: 'esm',
    jsx: 'automatic',
    target: TARGET,
    tsconfig: join(import.meta.dirname, '../../tsconfig.base.json'),
    logLevel: 'warning',
  });
  const [map, code] = outputFiles.map(({ text }) => text);
  const { exports: exported } = metafile.outputs['source.js'];
  return { code, map: { ...JSON.parse(map), sources: [basename(path)] }, exported };
}

/** A text that only looks like an export would be one too many here. */
function assertExports(path, exported, found) {
  if ([...found].sort().join() === [...exported].sort().join()) return;
  throw new Error(`${path} exports ${exported.join(', ')}, but ${found.join(', ')} were found`);
}

/** What `export { … } from` passes on. */
function passedOn(head) {
  const [, list] = /^export \{([^}]*)\}/.exec(head) ?? [];
  return list === undefined ? [] : namesIn(list);
}

function publicName(name) {
  return name.split(' as ').at(-1);
}

function namesIn(list) {
  return list
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
}

/** `lines` stand before what is mapped. */
function inline(map, lines) {
  const shifted = { ...map, mappings: ';'.repeat(lines) + map.mappings };
  const text = Buffer.from(JSON.stringify(shifted)).toString('base64');
  return `//# sourceMappingURL=data:application/json;base64,${text}\n`;
}
