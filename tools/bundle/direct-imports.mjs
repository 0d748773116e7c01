// Code splitting would pull in everything a package index exports. This rewrites our imports to the files that define
// a name, so that each chunk contains only what it uses.
import { readdirSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

const root = join(import.meta.dirname, '../..');
const OUR_VALUES = /^(import|export) \{([^}]*)\} from '(@robota-sdk\/[^']+)';$/gm;
const VALUE_EXPORT = /^export \{([^}]*)\} from '([^']+)';$/gm;

/** A plugin for esbuild. */
export const directImports = {
  name: 'direct-imports',
  setup({ onLoad }) {
    const origins = valuesByEntry();
    const placeOf = (entry, name) => originOf(origins, entry, name);
    replaceImports(onLoad, placeOf, (contents, path) => ({
      contents,
      loader: path.endsWith('x') ? 'tsx' : 'ts',
    }));
  },
};

/**
 * The same for packages, which import each other by their entries: the root of a package has everything and is loaded whole,
 * so a name that a smaller entry has, too, is imported from there. `startOf` may name another entry that has all of an entry's
 * names; `before` gives text to put before a file; `finish` makes JavaScript of a source.
 */
export function smallerEntries({ startOf, before, finish }) {
  const setup = ({ onLoad }) => {
    const entries = valuesByEntry();
    const placeOf = (from, name) => {
      const smaller = [...entries].find(
        ([entry, values]) => entry.startsWith(`${from}/`) && values.has(name),
      );
      return { name, from: startOf(smaller === undefined ? from : smaller[0]) };
    };
    replaceImports(onLoad, placeOf, async (text, path) => ({
      contents: await finish(before(path) + text, path),
      loader: 'js',
    }));
  };
  return { name: 'smaller-entries', setup };
}

/** `placeOf` says for a name of an entry under which name and from where it is to be imported. */
function replaceImports(onLoad, placeOf, finish) {
  onLoad({ filter: /[\\/](?:packages|apps)[\\/]\w+[\\/]src[\\/].*\.tsx?$/ }, async ({ path }) => {
    const text = await readFile(path, 'utf8');
    const contents = text.replace(OUR_VALUES, (whole, kind, names, entry) => {
      const byPlace = new Map();
      for (const { name, local } of namesIn(names)) {
        const place = placeOf(entry, name);
        const others = byPlace.get(place.from) ?? [];
        byPlace.set(place.from, [...others, `${place.name} as ${local}`]);
      }
      const lines = [...byPlace].map(
        ([from, found]) => `${kind} { ${found.join(', ')} } from ${JSON.stringify(from)};`,
      );
      // As many lines as before, for the source maps.
      return lines.join(' ') + '\n'.repeat(whole.split('\n').length - 1);
    });
    return await finish(contents, path);
  });
}

/** By the entry of a package, as it is imported: where each of its values comes from. */
function valuesByEntry() {
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
