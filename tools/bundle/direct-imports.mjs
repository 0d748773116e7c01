// A bundle that is split into parts takes along whatever the index of a package names. This lets our own files import
// from the files that define a name instead, so that a part holds what it uses.
import { readdirSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

const root = join(import.meta.dirname, '../..');
const VALUE_IMPORT = /^import \{([^}]*)\} from '(@robota-sdk\/[^']+)';$/gm;
const VALUE_EXPORT = /^export \{([^}]*)\} from '([^']+)';$/gm;

/** A plugin for esbuild. */
export const directImports = {
  name: 'direct-imports',
  setup({ onLoad }) {
    const origins = readOrigins();
    onLoad({ filter: /[\\/](?:packages|apps)[\\/]\w+[\\/]src[\\/].*\.tsx?$/ }, async ({ path }) => {
      const text = await readFile(path, 'utf8');
      const contents = text.replace(VALUE_IMPORT, (_whole, names, entry) =>
        namesIn(names)
          .map(({ name, local }) => {
            const origin = originOf(origins, entry, name);
            return `import { ${origin.name} as ${local} } from ${JSON.stringify(origin.from)};`;
          })
          .join(' '),
      );
      return { contents, loader: path.endsWith('x') ? 'tsx' : 'ts' };
    });
  },
};

/** By the entry of a package, as it is imported: where each of its values comes from. */
function readOrigins() {
  const origins = new Map();
  for (const folder of readdirSync(join(root, 'packages'))) {
    const place = join(root, 'packages', folder);
    const manifest = JSON.parse(readFileSync(join(place, 'package.json'), 'utf8'));
    for (const [entry, { 'robota-source': source }] of Object.entries(manifest.exports)) {
      if (source === undefined) continue;
      origins.set(join(manifest.name, entry), valuesOf(join(place, source)));
    }
  }
  return origins;
}

function valuesOf(index) {
  const found = new Map();
  for (const [, names, from] of readFileSync(index, 'utf8').matchAll(VALUE_EXPORT)) {
    const origin = from.startsWith('.') ? join(dirname(index), from) : from;
    for (const { name, local } of namesIn(names)) found.set(local, { name, from: origin });
  }
  return found;
}

/** What an index does not pass on is imported from it. */
function originOf(origins, entry, name) {
  const found = origins.get(entry)?.get(name);
  if (found === undefined) return { name, from: entry };
  return originOf(origins, found.from, found.name);
}

/** The values between the braces; types leave nothing behind. */
function namesIn(list) {
  return list
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '' && !each.startsWith('type '))
    .map((each) => {
      const [name, local = name] = each.split(' as ');
      return { name, local };
    });
}
