// Packages not needed at start-up are separate files next to a bundle. Node loads one on first call, synchronously
// because its callers are; bundlers, which set the condition `module`, include it directly.
import { join } from 'node:path';
import { build } from 'esbuild';

/** By package: what its stand-in passes on. */
const STAND_INS = {
  unbash: `export const parse = (...given) => load().parse(...given);
export const forEachChild = (...given) => load().forEachChild(...given);`,
  yaml: 'export const parseDocument = (...given) => load().parseDocument(...given);',
  zod: `const all = () => load().z;
export const z = new Proxy({}, {
  get: (_none, name) => all()[name],
  has: (_none, name) => name in all(),
  ownKeys: () => Reflect.ownKeys(all()),
  getOwnPropertyDescriptor: (_none, name) => {
    const found = Reflect.getOwnPropertyDescriptor(all(), name);
    return found && { ...found, configurable: true };
  },
});`,
};

/** A plugin for esbuild: imports of packages that the manifest has apart become imports of its own `#name`. */
export function apartOf(manifest) {
  const names = apartIn(manifest);
  return {
    name: 'apart',
    setup({ onResolve }) {
      if (names.length === 0) return;
      onResolve({ filter: new RegExp(`^(?:${names.join('|')})$`) }, ({ path }) => ({
        path: `#${path}`,
        external: true,
      }));
    },
  };
}

/** Writes what the manifest's `imports` name; gives what esbuild says about it. */
export async function writeApart(folder, manifest, common) {
  const metafiles = [];
  for (const name of apartIn(manifest)) {
    const entry = { entryPoints: { [name]: name }, outdir: 'dist/apart', splitting: false };
    const { metafile } = await build({ ...common, ...entry, format: 'esm' });
    metafiles.push(metafile);
    await build({ ...common, ...entry, format: 'cjs', outExtension: { '.js': '.cjs' } });
    await build({
      ...common,
      stdin: { contents: standIn(name), resolveDir: folder },
      outfile: join('dist/apart', `${name}-later.js`),
      outdir: undefined,
      format: 'esm',
      splitting: false,
    });
  }
  return metafiles;
}

function apartIn({ imports = {} }) {
  return Object.keys(imports)
    .map((name) => name.slice(1))
    .filter((name) => name !== 'later');
}

function standIn(name) {
  if (STAND_INS[name] === undefined) throw new Error(`${name} has no stand-in`);
  return `let loaded;
function load() {
  try {
    loaded ??= process.getBuiltinModule('node:module').createRequire(import.meta.url)('./${name}.cjs');
    return loaded;
  } catch (cause) {
    throw new Error('Cannot load ${name}, which comes with this package. A bundler has to have the condition "module".', { cause });
  }
}
${STAND_INS[name]}
`;
}
