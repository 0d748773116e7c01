// Makes what is published of every library: `dist` with one bundled file for each entry, the parts that entries
// share beside them, and the declarations that the entries reach. `tsc -b` has made the declarations in `.build`.
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { apartOf, writeApart } from './bundle/apart.mjs';
import { builtInsLater } from './bundle/built-ins-later.mjs';
import { englishOnly } from './bundle/english-only.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
/**
 * Bundled in although it is a dependency, for its types: loaded file by file it costs more than everything of ours.
 * What it registers is one for all copies, so schemas of the caller's own copy are understood.
 */
const BUNDLED = ['zod'];
/** The build of yaml for Node is CommonJS and asks for modules in a way that a bundled file cannot. */
const ALIAS = { yaml: join(root, 'node_modules/yaml/browser/index.js') };
const PACKAGE_NAME = /node_modules\/((?:@[^/]+\/)?[^/]+)\//;
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
  };
  const { metafile } = await build({
    ...common,
    entryPoints: entries,
    outbase: 'src',
    outdir: 'dist',
    splitting: true,
    format: 'esm',
    external: outside.flatMap((name) => [name, `${name}/*`]),
    chunkNames: 'parts/[hash]',
    sourcemap: 'linked',
    // The sources are in the package.
    sourcesContent: false,
    plugins: [...sharedZod(outside), apartOf(manifest), builtInsLater, englishOnly],
  });
  const apart = await writeApart(folder, manifest, { ...common, plugins: [englishOnly] });
  writeNotices(folder, [metafile, ...apart]);
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
function sharedZod(outside) {
  if (!outside.includes('@robota-sdk/agent-tools')) return [];
  const setup = ({ onResolve }) =>
    onResolve({ filter: /^zod$/ }, () => ({ path: '@robota-sdk/agent-tools/zod', external: true }));
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
