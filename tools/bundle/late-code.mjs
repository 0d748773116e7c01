// Code of a package that a first session does not run, although its names are public and answer synchronously. Node gets
// stand-ins for its functions and classes and loads it, as CommonJS, when one of them is used; bundlers, which set the
// condition `module`, get the ES module. The code is there once: whatever else it uses is handed to it by the start.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { build } from 'esbuild';
import { BUILT_IN } from './built-ins.mjs';

/** By package: sources, or folders of them, without code that runs at the top level and needs another file. */
const LATE_CODE = {
  '@robota-sdk/agent-sdk': [
    'architecture/',
    'assembly/unified-diff.ts',
    'background/process-work.ts',
    'background/session-commands.ts',
    'background/task-log.ts',
    'commands/show-cost.ts',
    'config/edit-settings.ts',
    'config/forbidden-bypass.ts',
    'config/remember-rule.ts',
    'everyday/listing-commands.ts',
    'everyday/model-command.ts',
    'everyday/permissions-command.ts',
    'host/',
    'interactive/injected-session.ts',
    'interactive/stream-event-redactor.ts',
    'live/',
    'plugins/compare-versions.ts',
    'plugins/contained-path.ts',
    'plugins/git.ts',
    'plugins/marketplace-source.ts',
    'plugins/plugin-name.ts',
    'query/',
    'records/follow-session-log.ts',
    'records/fork-at.ts',
    'records/hand-over/hand-over-manifest.ts',
    'records/open-session.ts',
    'records/project-session-store.ts',
    'records/rename-session.ts',
    'records/session-listing.ts',
    'records/session-log.ts',
    'references/read-reference.ts',
    'skills/frontmatter.ts',
    'skills/parse-skill.ts',
    'subagents/agent-call.ts',
    'subagents/create-subagent-session.ts',
    'subagents/parse-agent.ts',
    'subagents/subagent-model.ts',
  ],
  '@robota-sdk/agent-session': [
    'context/compaction-prompt.ts',
    'log/file-session-logger.ts',
    'log/log-file.ts',
    'log/log-lines.ts',
    'log/read-session-log.ts',
    'log/recover-turn.ts',
    'log/replay-session-log.ts',
    'log/validate-session-log.ts',
    'permissions/hook-feedback.ts',
    'permissions/truncate-output.ts',
    'records/checkpoint.ts',
    'records/old-record-tail.ts',
    'records/private-files.ts',
    'records/saved-session.ts',
    'records/session-store.ts',
    'records/snapshot-folders.ts',
    'records/summary-index.ts',
    'records/writer-lock.ts',
    'revive-dates.ts',
    'rewind.ts',
    'secrets/scrub-lines.ts',
    'secrets/scrub-payloads.ts',
    'secrets/scrub-session-files.ts',
    'secrets/vault-lines.ts',
    'shell-line.ts',
  ],
};
const IMPORT = /^(?:import|export) \{([^}]*)\} from '(\.[^']+)';$/gm;
const DECLARATION = /^export (?:async )?(class|function)\*? (\w+)/gm;
const NAME = '#later';
const START = './start-up.js';

/** Undefined where a package has no such code. */
export function lateCodeOf(folder, manifest) {
  const listed = LATE_CODE[manifest.name];
  if (listed === undefined) return undefined;
  const source = join(folder, 'src');
  const isLate = (path) =>
    listed.some((each) => {
      const name = relative(source, path);
      return each.endsWith('/') ? name.startsWith(each) : name === each;
    });
  const names = namesUsedBy(source, isLate);
  return { names, plugin: lateCode(folder, names, isLate) };
}

/** By name: its file and what it is, for every name that other sources import. */
function namesUsedBy(source, isLate) {
  const sources = readdirSync(source, { recursive: true })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => join(source, name));
  const names = new Map();
  for (const path of sources.filter((each) => !isLate(each))) {
    for (const [, list, from] of readFileSync(path, 'utf8').matchAll(IMPORT)) {
      const file = join(dirname(path), from);
      if (!isLate(file)) continue;
      for (const name of valuesIn(list)) names.set(name, { file, kind: kindOf(file, name, path) });
    }
  }
  return names;
}

function valuesIn(list) {
  return list
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '' && !each.startsWith('type '))
    .map((each) => each.split(' as ')[0]);
}

function kindOf(file, name, importer) {
  for (const [, kind, found] of readFileSync(file, 'utf8').matchAll(DECLARATION)) {
    if (found === name) return kind;
  }
  throw new Error(`${importer} needs ${name} of ${file}, which is neither a class nor a function`);
}

/** A plugin for esbuild with the entry `later`. */
function lateCode(folder, names, isLate) {
  const files = new Map();
  for (const [name, { file }] of names) files.set(file, [...(files.get(file) ?? []), name]);
  return {
    name: 'late-code',
    setup({ onLoad, onResolve }) {
      onResolve({ filter: /^later$/ }, ({ path }) => ({ path, namespace: 'later' }));
      onLoad({ filter: /.*/, namespace: 'later' }, () => ({
        contents: [
          `import ${JSON.stringify(join(folder, 'src/index.ts'))};`,
          ...[...files].map(
            ([file, found]) => `export { ${found.join(', ')} } from ${JSON.stringify(file)};`,
          ),
        ].join('\n'),
        resolveDir: folder,
        loader: 'js',
      }));
      // Copies, which share no state, because a part that only late code and some other share would be a file of its own.
      onResolve({ filter: BUILT_IN }, ({ path, importer, kind }) =>
        isLate(importer) && kind === 'import-statement'
          ? { path, namespace: 'built-ins', suffix: '?late', sideEffects: false }
          : undefined,
      );
      onResolve({ filter: /^\./ }, ({ path, importer, kind }) => {
        if (!isLate(join(dirname(importer), path))) return undefined;
        if (isLate(importer) && kind !== 'dynamic-import') return undefined;
        return { path: NAME, external: true };
      });
    },
  };
}

/** Writes the CommonJS file and the stand-ins, and makes the start hand over what the code imports. */
export async function writeLateCode(folder, { names }, { outputs }) {
  const imports = outputs['dist/later.js'].imports.filter(
    ({ kind }) => kind === 'import-statement',
  );
  const parts = imports.filter(({ external }) => !external).map(({ path }) => path);
  if (parts.length !== 1) throw new Error(`Late code shares more than the start: ${parts}`);
  const external = new Set(imports.filter((each) => each.external).map(({ path }) => path));
  const packages = [...external].filter((path) => !path.startsWith('#'));
  handOver(join(folder, 'dist', START), packages);
  await writeCommonJs(folder, packages);
  writeFileSync(join(folder, 'dist/later-node.js'), standIns(names));
}

/** The start exports the packages that late code uses; it has loaded them itself. */
function handOver(start, packages) {
  const text = readFileSync(start, 'utf8');
  const missing = packages.filter((path) => !text.includes(`from"${path}"`));
  if (missing.length > 0) throw new Error(`The start does not load ${missing}`);
  const exported = packages.map((path, index) => `export*as package${index} from"${path}";`);
  writeFileSync(start, text.replace(/^(?=\/\/# sourceMappingURL=)/m, exported.join('')));
}

/** A function of the start's exports that gives the late code's; `#name`, a package beside the bundle, is loaded on use. */
async function writeCommonJs(folder, packages) {
  const cases = packages.map((path, index) => `case"${path}":return start.package${index};`);
  const take = `switch(name){case"${START}":return start;${cases.join('')}default:return new Proxy({},{get:(_none,key)=>require("./apart/"+name.slice(1)+".cjs")[key]})}`;
  const outfile = 'dist/later.cjs';
  await build({
    absWorkingDir: folder,
    entryPoints: ['dist/later.js'],
    outfile,
    format: 'cjs',
    platform: 'node',
    target: 'node20.19',
    minifyWhitespace: true,
    sourcemap: 'linked',
    sourcesContent: false,
    // V8 compiles a function in parentheses at once; otherwise it would read the code three times.
    banner: {
      js: 'module.exports=(function(start){const module={exports:{}};(function(require,module){',
    },
    footer: { js: `})(name=>{${take}},module);return module.exports});` },
    logLevel: 'warning',
  });
  assertUsesNothing(createRequire(import.meta.url)(join(folder, outfile)));
}

/** In a bundle, late code may run before the start, so at its top level it must use nothing of it. */
function assertUsesNothing(lateCode) {
  const get = (_none, name) => {
    if (/^package\d+$/.test(name)) return nothing;
    throw new Error(`Late code uses ${String(name)} at its top level`);
  };
  const nothing = new Proxy({}, { get });
  lateCode(nothing);
}

function standIns(names) {
  const each = [...names].map(([name, { kind }]) =>
    kind === 'class'
      ? `export const ${name} = standIn('${name}');`
      : `export const ${name} = (...given) => (0, load().${name})(...given);`,
  );
  return `import * as start from '${START}';
let loaded;
function load() {
  try {
    loaded ??= process.getBuiltinModule('node:module').createRequire(import.meta.url)('./later.cjs')(start);
    return loaded;
  } catch (cause) {
    throw new Error('Cannot load code that comes with this package. A bundler has to have the condition "module".', { cause });
  }
}
${STAND_IN}
${each.join('\n')}
`;
}

/** A class of which everything is passed on; its target is bound, because that has no `prototype` of its own. */
const STAND_IN = `function standIn(name) {
  const real = () => load()[name];
  const target = Object.defineProperty(function () {}.bind(), 'name', { value: name });
  const found = new Proxy(target, {
    construct: (_none, given, made) => Reflect.construct(real(), given, made === found ? real() : made),
    get: (_none, key) => real()[key],
    set: (_none, key, value) => Reflect.set(real(), key, value),
    has: (_none, key) => key in real(),
    ownKeys: () => Reflect.ownKeys(real()),
    getPrototypeOf: () => Reflect.getPrototypeOf(real()),
    getOwnPropertyDescriptor: (_none, key) => {
      const own = Reflect.getOwnPropertyDescriptor(real(), key);
      return own && { ...own, configurable: true };
    },
    defineProperty: (_none, key, own) => Reflect.defineProperty(real(), key, own),
    deleteProperty: (_none, key) => Reflect.deleteProperty(real(), key),
  });
  return found;
}`;
