// Makes what is published of every library: `dist` with one bundled file for each entry, the parts that entries
// share beside them, and the declarations that the entries reach. `tsc -b` has made the declarations in `.build`.
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { apartOf, writeApart } from './bundle/apart.mjs';
import { builtIns } from './bundle/built-ins.mjs';
import { smallerEntries } from './bundle/direct-imports.mjs';
import { englishOnly } from './bundle/english-only.mjs';
import { lateCodeOf, writeLateCode } from './bundle/late-code.mjs';
import { shortenLocals } from './bundle/short-names.mjs';
import { nameStartFiles, startFileOf } from './bundle/start-files.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
/**
 * Bundled in although it is a dependency, for its types: loaded file by file it costs more than everything of ours.
 * What it registers is one for all copies, so schemas of the caller's own copy are understood.
 */
const BUNDLED = ['zod'];
/** The build of yaml for Node is CommonJS and asks for modules in a way that a bundled file cannot. */
const ALIAS = { yaml: join(root, 'node_modules/yaml/browser/index.js') };
const PACKAGE_NAME = /node_modules\/((?:@[^/]+\/)?[^/]+)\//;
/** By package: the entry that a first session loads. */
const START = {
  '@robota-sdk/agent-sdk': 'src/index.ts',
  '@robota-sdk/agent-session': 'src/index.ts',
  '@robota-sdk/agent-core': 'src/engine.ts',
  '@robota-sdk/agent-tools': 'src/builtins/index.ts',
  '@robota-sdk/agent-transcript': 'src/blocks-entry.ts',
};
/** By package: the entry that the start passes on as well, without declarations, for our own packages. */
const PASSED_ON = {
  '@robota-sdk/agent-core': 'src/log/index.ts',
  '@robota-sdk/agent-tools': 'src/zod.ts',
};
/** Entries that are used together with the start. */
const BESIDE_START = [
  'src/architectures/index.ts',
  'src/index.ts',
  'src/permissions/index.ts',
  'src/testing/index.ts',
  'src/zod.ts',
];
/**
 * By package: entries that share next to nothing with the others and have copies of that, because a file for it would cost a
 * start more. What is copied must hold no state.
 */
const ALONE = {
  '@robota-sdk/agent-transcript': {
    entry: 'src/neutralise-escapes.ts',
    copies: ['src/neutralise-escapes.ts'],
  },
};
const LATE_IMPORT = /import\('(\.[^']+)'\)/g;
/** A file of the same package, as declarations import it. */
const RELATIVE_IMPORT = /(?:from |import\()["'](\.\.?\/[^"']+\.tsx?)["']/g;

for (const name of readdirSync(join(root, 'packages'))) {
  const folder = join(root, 'packages', name);
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const entries = Object.values(manifest.exports).flatMap(
    (target) => target['robota-source'] ?? [],
  );
  rmSync(join(folder, 'dist'), { recursive: true, force: true });
  await bundle(folder, manifest, entries);
  await buildForBrowsers(folder, manifest);
  copyDeclarations(folder, entries);
  copyFileSync(join(root, 'LICENSE'), join(folder, 'LICENSE'));
}

async function bundle(folder, manifest, entries) {
  const outside = Object.keys({
    ...manifest.dependencies,
    ...manifest.optionalDependencies,
    ...manifest.peerDependencies,
  }).filter((name) => !BUNDLED.includes(name));
  const common = {
    absWorkingDir: folder,
    bundle: true,
    platform: 'node',
    target: 'node20.19',
    jsx: 'automatic',
    alias: ALIAS,
    minifyWhitespace: true,
    minifySyntax: true,
    legalComments: 'none',
    metafile: true,
    logLevel: 'warning',
    logOverride: { 'ignored-bare-import': 'silent' },
  };
  const alone = ALONE[manifest.name];
  const [own, together] = [true, false].map((isAlone) =>
    entries.filter((entry) => (entry.replace('./', '') === alone?.entry) === isAlone),
  );
  const late = lateCodeOf(folder, manifest);
  const bundled = {
    ...common,
    outbase: 'src',
    outdir: 'dist',
    splitting: true,
    format: 'esm',
    external: outside.flatMap((name) => [name, `${name}/*`]),
    // Not in a folder of their own: for each folder between a file and a package Node looks for one folder more.
    chunkNames: '[hash]',
    sourcemap: 'linked',
    // The sources are in the package.
    sourcesContent: false,
    plugins: [
      ...(late ? [late.plugin] : []),
      ...sharedZod(outside, manifest),
      apartOf(manifest),
      builtIns,
      englishOnly,
      smallerEntries({
        before: withStart(folder, manifest),
        startOf: (entry) => startFileOf(manifest.name, entry),
        finish: shortenLocals,
      }),
    ],
  };
  const entryPoints = together.map((entry) => ({
    in: entry,
    out: relative('src', entry).replace(/\.tsx?$/, ''),
  }));
  if (late) entryPoints.push({ in: 'later', out: 'later' });
  const { metafile } = await build({ ...bundled, entryPoints });
  nameStartFiles(folder, manifest, metafile);
  if (own.length > 0) assertCopies(alone, metafile, await build({ ...bundled, entryPoints: own }));
  const apart = await writeApart(folder, manifest, { ...common, plugins: [englishOnly] });
  if (late) await writeLateCode(folder, late, metafile);
  writeNotices(folder, [metafile, ...apart]);
}

function assertCopies({ entry, copies }, together, { metafile: own }) {
  const isOurs = (path) => path.startsWith('src/') && !copies.includes(path);
  const both = Object.keys(own.inputs).filter((path) => isOurs(path) && path in together.inputs);
  if (both.length > 0) throw new Error(`${entry} would have copies of ${both.join(', ')}`);
}

/**
 * What a start loads goes into one file, although parts that are loaded late use some of it, too: each of them imports the
 * start, so that there is nothing that only some of them share. A file more costs Node as much as ten kilobytes.
 */
function withStart(folder, manifest) {
  const entry = START[manifest.name];
  if (entry === undefined) return () => '';
  const start = join(folder, entry);
  const late = lateFiles(folder);
  const second = PASSED_ON[manifest.name];
  return (path) => {
    if (path === start)
      return second ? `export * from ${JSON.stringify(join(folder, second))};` : '';
    return late.has(path) ? `import ${JSON.stringify(start)};` : '';
  };
}

/** The files that others import with `import()`, and entries that are used together with the start. */
function lateFiles(folder) {
  const sources = readdirSync(join(folder, 'src'), { recursive: true })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => join(folder, 'src', name));
  const imported = sources.flatMap((path) =>
    [...readFileSync(path, 'utf8').matchAll(LATE_IMPORT)].map(([, to]) => join(dirname(path), to)),
  );
  return new Set([...imported, ...BESIDE_START.map((name) => join(folder, name))]);
}

/** File by file, so that the bundler of a page takes what it uses and leaves the rest. */
async function buildForBrowsers(folder, manifest) {
  const entries = Object.values(manifest.exports).flatMap((target) =>
    target.browser === undefined ? [] : target['robota-source'],
  );
  if (entries.length === 0) return;
  const common = {
    absWorkingDir: folder,
    outbase: 'src',
    outdir: 'dist/browser',
    chunkNames: 'parts/[hash]',
    bundle: true,
    format: 'esm',
    platform: 'neutral',
    target: 'es2022',
    jsx: 'automatic',
    packages: 'external',
    metafile: true,
    logLevel: 'warning',
  };
  const { metafile } = await build({ ...common, entryPoints: entries, write: false });
  const files = Object.keys(metafile.inputs).filter((path) => path.startsWith('src/'));
  await build({ ...common, entryPoints: files, splitting: true, minifySyntax: true });
}

/** Whoever loads the tools has their zod already. */
function sharedZod(outside, manifest) {
  if (!outside.includes('@robota-sdk/agent-tools')) return [];
  const path = startFileOf(manifest.name, '@robota-sdk/agent-tools/zod');
  const setup = ({ onResolve }) => onResolve({ filter: /^zod$/ }, () => ({ path, external: true }));
  return [{ name: 'shared-zod', setup }];
}

/** The licences of what is bundled in. */
function writeNotices(folder, metafiles) {
  const inputs = metafiles.flatMap((metafile) => Object.keys(metafile.inputs));
  const names = inputs.flatMap((path) => PACKAGE_NAME.exec(path)?.[1] ?? []);
  const notices = [...new Set(names)].sort().map((name) => {
    const place = join(root, 'node_modules', name);
    const { version } = JSON.parse(readFileSync(join(place, 'package.json'), 'utf8'));
    const file = readdirSync(place).find((entry) => /^licen[cs]e/i.test(entry));
    if (file === undefined) throw new Error(`${name} is bundled and brings no licence`);
    return `${name} ${version}\n\n${readFileSync(join(place, file), 'utf8').trim()}\n`;
  });
  if (notices.length === 0) return;
  writeFileSync(join(folder, 'dist/THIRD-PARTY-LICENSES.txt'), notices.join('\n---\n\n'));
}

/** Declarations name each other as sources; in the package they are found under the names of what runs. */
function copyDeclarations(folder, entries) {
  const waiting = entries.map((entry) =>
    declarationOf(join(folder, '.build', relative('src', entry))),
  );
  const done = new Set();
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (done.has(path)) continue;
    done.add(path);
    const text = readFileSync(path, 'utf8');
    for (const [, specifier] of text.matchAll(RELATIVE_IMPORT)) {
      waiting.push(declarationOf(resolve(dirname(path), specifier)));
    }
    const target = join(folder, 'dist', relative(join(folder, '.build'), path));
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(
      target,
      text.replace(RELATIVE_IMPORT, (found) => found.replace(/\.tsx?(?=['"])/, '.js')),
    );
    copyFileSync(`${path}.map`, `${target}.map`);
  }
}

function declarationOf(source) {
  return source.replace(/\.tsx?$/, '.d.ts');
}
