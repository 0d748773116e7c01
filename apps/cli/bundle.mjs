// Bundles the command: main.cjs with what every command needs, prompt.cjs with what a prompt needs until it is sent,
// list.cjs with what lists sessions, later.cjs with the rest but the terminal, terminal.cjs with that, packages that are used
// late in files of their own, and a compile cache beside each so that V8 does not parse megabytes at every start.
import { spawn } from 'node:child_process';
import { cpSync, existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { basename, join } from 'node:path';
import process from 'node:process';
import { spawn as spawnPty } from '@lydell/node-pty';
import { build, transform } from 'esbuild';
import { directImports } from '../../tools/bundle/direct-imports.mjs';
import { englishOnly } from '../../tools/bundle/english-only.mjs';

const here = import.meta.dirname;
const finalDirectory = join(here, 'dist/cli');
/** Built beside it and put in its place at the end, so that a program running meanwhile finds all its parts. */
const outdir = `${finalDirectory}.${process.pid}`;

const common = {
  absWorkingDir: here,
  bundle: true,
  minify: true,
  platform: 'node',
  target: 'node20.19',
  conditions: ['robota-source'],
  jsx: 'automatic',
  define: { 'process.env.NODE_ENV': '"production"' },
  // Native packages cannot be bundled.
  external: ['@photostructure/sqlite'],
  alias: {
    'react-devtools-core': join(here, 'bundle/no-devtools.cjs'),
    'is-in-ci': join(here, 'bundle/not-in-ci.cjs'),
  },
  logLevel: 'warning',
};

/** Provider packages accept schemas of an older zod; none is given to them, and it costs start-up time. */
const withoutOldZod = {
  name: 'without-old-zod',
  setup({ onResolve }) {
    onResolve({ filter: /^zod\/v3$/ }, () => ({ path: join(here, 'bundle/zod-v3.mjs') }));
  },
};

/** What our own requests say in plain words needs no check by the provider packages, which would load a validator for it. */
const UNCHECKED = [
  {
    file: /provider-utils[\\/]dist[\\/]index\.mjs$/,
    check: /const parsedProviderOptions = await safeValidateTypes\(\{/,
    before:
      "if (Object.keys(providerOptions[provider]).every((name) => name === 'cacheControl' || name === 'toolStreaming')) return providerOptions[provider];",
  },
  {
    file: /anthropic[\\/]dist[\\/]index\.mjs$/,
    check: /await validateTypes\(\{\s+value: tool\.args,\s+schema: webSearch_20250305ArgsSchema\s/,
    before: 'Object.keys(tool.args).length === 0 ? {} :',
  },
];

/** Gives the provider packages our headers in place of the web's, and takes plain options as they are. */
const lightVendors = {
  name: 'light-vendors',
  setup({ onLoad }) {
    const headers = JSON.stringify(join(here, 'bundle/light-headers.mjs'));
    onLoad({ filter: /@ai-sdk[\\/][\w-]+[\\/]dist[\\/].*\.m?js$/ }, async ({ path }) => {
      const text = UNCHECKED.filter(({ file }) => file.test(path)).reduce(
        (before, unchecked) => withoutCheck(before, unchecked, path),
        await readFile(path, 'utf8'),
      );
      return {
        contents: `import { LightHeaders as Headers } from ${headers};\n${text}`,
        loader: 'js',
      };
    });
  },
};

function withoutCheck(text, { check, before }, path) {
  if (!check.test(text)) throw new Error(`${path} checks what it is given in another way`);
  return text.replace(check, (found) => `${before} ${found}`);
}

const ENGINE = join(here, '../../node_modules/yoga-layout/dist/binaries/yoga-wasm-base64-esm.js');
const ENGINE_CODE = /data:application\/octet-stream;base64,([A-Za-z0-9+/=]+)/;

/** Takes the places out where Ink waits at the top level: for its layout engine, and for tools of development. */
const withoutWaiting = {
  name: 'without-waiting',
  setup({ onLoad, onResolve }) {
    onResolve({ filter: /^yoga-layout$/ }, () => ({ path: join(here, 'bundle/yoga-engine.cjs') }));
    onResolve({ filter: /^yoga-layout\.wasm$/ }, () => ({ path: ENGINE, namespace: 'wasm' }));
    onLoad({ filter: /.*/, namespace: 'wasm' }, async ({ path }) => {
      const [, code] = ENGINE_CODE.exec(await readFile(path, 'utf8'));
      return { contents: Buffer.from(code, 'base64'), loader: 'binary' };
    });
    onLoad({ filter: /yoga-wasm-base64-esm\.js$/ }, async ({ path }) => ({
      contents: (await readFile(path, 'utf8')).replace(
        ENGINE_CODE,
        'data:application/octet-stream;base64,',
      ),
      loader: 'js',
    }));
    onLoad({ filter: /ink[\\/]build[\\/]reconciler\.js$/ }, async ({ path }) => ({
      contents: (await readFile(path, 'utf8'))
        .replace("await import('./devtools.js')", '')
        .replace('await loadPackageJson()', '{}'),
      loader: 'js',
    }));
  },
};

/** Packages that cost milliseconds and are needed neither to send a prompt nor for the first picture: they are loaded when called. */
const LATER = {
  marked: 'bundle/marked.cjs',
  'string-width': 'bundle/string-width.cjs',
  yaml: 'bundle/yaml.cjs',
  unbash: 'bundle/unbash.cjs',
  picomatch: 'bundle/picomatch.cjs',
  'eventsource-parser/stream': 'bundle/event-source.cjs',
};

const loadedLater = {
  name: 'loaded-later',
  setup({ onResolve }) {
    const named = new RegExp(`^(?:${Object.keys(LATER).join('|')})$`);
    onResolve({ filter: named }, ({ path, importer }) => {
      const standIn = join(here, LATER[path]);
      return importer === standIn ? undefined : { path: standIn };
    });
  },
};

/** Of these, what the program uses, each in a file of its own: a start reads none of them. */
const APART = {
  zod: 'zod',
  yaml: 'yaml',
  unbash: 'unbash',
  picomatch: 'picomatch',
  'event-source': 'eventsource-parser/stream',
};

const inFilesApart = {
  name: 'in-files-apart',
  setup({ onLoad, onResolve }) {
    for (const [name, specifier] of Object.entries(APART)) {
      onResolve({ filter: new RegExp(`^${specifier}$`) }, ({ importer }) =>
        importer.startsWith(join(here, 'bundle'))
          ? { path: `./${name}.cjs`, external: true }
          : undefined,
      );
    }
    onResolve({ filter: /./, namespace: 'apart' }, ({ path }) => ({ path, external: true }));
    onResolve({ filter: /^zod(?:\/v4)?$/ }, ({ importer }) => ({
      path: USE_FEW_NAMES.test(importer) ? 'zod' : 'all of zod',
      namespace: 'apart',
    }));
    onLoad({ filter: /^zod$/, namespace: 'apart' }, () => ({ contents: FEW_NAMES, loader: 'js' }));
    onLoad({ filter: /^all of zod$/, namespace: 'apart' }, async () => ({
      contents: lazyModule('./zod.cjs', Object.keys(await import('zod'))),
      loader: 'js',
    }));
  },
};

/** A module with all names of zod costs a getter for each in every part that imports it; those that a prompt loads use three. */
const USE_FEW_NAMES = /[\\/](?:packages|apps|@ai-sdk)[\\/]/;
const FEW_NAMES = `
  const zod = () => require('./zod.cjs');
  export const z = new Proxy({}, { get: (_none, name) => zod().z[name] });
  export const toJSONSchema = (...given) => zod().toJSONSchema(...given);
  export const safeParseAsync = (...given) => zod().safeParseAsync(...given);
`;

/** A CommonJS module with these names, each of which loads another when it is used. */
function lazyModule(path, names) {
  const getters = names
    .filter((name) => name !== 'default')
    .map((name) => `get ${name}() { return require('${path}').${name}; }`);
  return `module.exports = { ${getters.join(',')} };`;
}

/** Modules of Node that few starts use, or that the first request alone needs: they are loaded when one of their names is used. */
const BUILT_INS_LATER =
  /^node:(?:child_process|dns|http|https|net|readline|timers\/promises|tls|worker_threads|zlib)$/;

const builtInsLater = {
  name: 'built-ins-later',
  setup({ onLoad, onResolve }) {
    onResolve({ filter: BUILT_INS_LATER }, ({ path, kind }) =>
      kind === 'import-statement' ? { path, namespace: 'later' } : { path, external: true },
    );
    onLoad({ filter: /.*/, namespace: 'later' }, async ({ path }) => ({
      contents: lazyModule(path, Object.keys(await import(path))),
      loader: 'js',
    }));
  },
};

/** The terminal stays a bundle of its own, loaded when there is one. */
const terminalApart = {
  name: 'terminal-apart',
  setup({ onResolve }) {
    onResolve({ filter: /run-terminal\.tsx$/ }, ({ kind }) =>
      kind === 'dynamic-import'
        ? { path: '../../bin/load-terminal.cjs', external: true }
        : undefined,
    );
  },
};

/** A file as `load-cached.cjs` takes it: a function, so that megabytes need not be copied to make it one. */
const HEAD =
  "(function (exports, require, module, __filename, __dirname) { const __moduleUrl = require('node:url').pathToFileURL(__filename).href;";
const TAIL = '})';
const COMMON_JS = { format: 'cjs', supported: { 'dynamic-import': false } };
const define = { ...common.define, 'import.meta.url': '__moduleUrl' };

/** The files of the program. */
const PROGRAM = ['main', 'prompt', 'list', 'later'];

/** What every command passes. */
const START = ['src/main.ts'];
/** Where a prompt passes until it is sent, and the terminal until its first picture; what they import comes along. */
const PROMPT = [
  'src/commands/print.ts',
  'src/commands/interactive.ts',
  '../../packages/sdk/src/assembly/default-tools.ts',
  '../../packages/sdk/src/config/check-settings.ts',
  '../../packages/provider/src/anthropic/index.ts',
  '../../packages/provider/src/demo/index.ts',
];
/** Where a list of sessions passes. */
const LIST = [
  'src/commands/sessions/sessions.ts',
  'src/commands/sessions/list.ts',
  '../../packages/archive/src/sqlite/index.ts',
];

rmSync(outdir, { recursive: true, force: true });
await bundleTerminal();
await bundleProgram();
await bundleApart();
assertAscii();
// The page goes with the program that serves it.
cpSync(join(here, '../web/dist/page'), join(outdir, 'page'), { recursive: true });
putInPlace();
await warmCache();
await warmTerminal();
await warmList();
warmApart();

async function bundleTerminal() {
  await build({
    ...common,
    ...COMMON_JS,
    define,
    entryPoints: { terminal: 'bundle/terminal-entry.mjs' },
    outdir,
    outExtension: { '.js': '.cjs' },
    banner: { js: HEAD },
    footer: { js: TAIL },
    plugins: [englishOnly, withoutOldZod, withoutWaiting, loadedLater],
  });
}

/** Splits the program into parts, as for a browser, and puts them into the files that `load-program.cjs` reads. */
async function bundleProgram() {
  const { outputFiles, metafile } = await build({
    ...common,
    define,
    entryPoints: { main: 'src/main.ts' },
    outdir,
    format: 'esm',
    splitting: true,
    write: false,
    metafile: true,
    plugins: [
      directImports,
      englishOnly,
      withoutOldZod,
      lightVendors,
      inFilesApart,
      loadedLater,
      builtInsLater,
      terminalApart,
    ],
  });
  const outputs = new Map(
    Object.entries(metafile.outputs).map(([path, output]) => [basename(path), output]),
  );
  const fileOf = placesOf(outputs);
  const parts = Object.fromEntries(PROGRAM.map((name) => [name, []]));
  const places = {};
  for (const { path, text } of outputFiles) {
    const name = `./${basename(path)}`;
    const { code } = await transform(text, { ...COMMON_JS, minify: true, target: common.target });
    const file = fileOf(basename(path));
    parts[file].push(
      `${JSON.stringify(name)}: function (exports, require, module, __filename, __dirname) { ${code} }`,
    );
    if (file === 'prompt' || file === 'list') places[name] = file;
  }
  for (const [name, texts] of Object.entries(parts)) {
    const index = name === 'main' ? `exports.places = ${JSON.stringify(places)};` : '';
    writeFileSync(
      join(outdir, `${name}.cjs`),
      `${HEAD} ${index} exports.parts = {\n${texts.join(',\n')}\n}; ${TAIL}\n`,
    );
  }
}

/** Which file a part belongs into; what a prompt and a list both need is in the one that is always read. */
function placesOf(outputs) {
  const [start, prompt, list] = [START, PROMPT, LIST].map((each) => reachedFrom(each, outputs));
  return (name) => {
    if (start.has(name) || (prompt.has(name) && list.has(name))) return 'main';
    if (prompt.has(name)) return 'prompt';
    return list.has(name) ? 'list' : 'later';
  };
}

async function bundleApart() {
  await build({
    ...common,
    ...COMMON_JS,
    define,
    entryPoints: APART,
    outdir,
    outExtension: { '.js': '.cjs' },
    banner: { js: HEAD },
    footer: { js: TAIL },
    plugins: [englishOnly],
  });
}

/** The parts that the entries need as soon as they run. */
function reachedFrom(entries, outputs) {
  const waiting = entries.map((entry) => {
    const found = [...outputs].find(([, output]) => output.entryPoint === entry);
    if (found === undefined) throw new Error(`${entry} is no part of its own any more`);
    return found[0];
  });
  const reached = new Set();
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    if (reached.has(name)) continue;
    reached.add(name);
    const needed = outputs.get(name).imports.filter(({ kind }) => kind === 'import-statement');
    waiting.push(...needed.map(({ path }) => basename(path)).filter((path) => outputs.has(path)));
  }
  return reached;
}

/** The loader reads bundles as ASCII; only regular expressions keep other characters as they are written. */
function assertAscii() {
  const apart = Object.keys(APART);
  for (const name of [...PROGRAM, 'terminal', ...apart].map((each) => `${each}.cjs`)) {
    const [found] = /.{0,40}[^\0-\x7f]/.exec(readFileSync(join(outdir, name), 'utf8')) ?? [];
    if (found) throw new Error(`${name} is not ASCII; write it with an escape: ${found}`);
  }
}

function putInPlace() {
  const old = `${finalDirectory}.old.${process.pid}`;
  if (existsSync(finalDirectory)) renameSync(finalDirectory, old);
  renameSync(outdir, finalDirectory);
  rmSync(old, { recursive: true, force: true });
}

/** Asks a server on this machine that declines, so that the cache holds what a prompt executes until it is sent. */
async function warmCache() {
  const scratch = join(finalDirectory, 'warm');
  const server = createServer((request, response) => {
    request.resume().on('end', () => response.writeHead(400).end('{}'));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = `http://127.0.0.1:${server.address().port}`;
  const child = spawn(process.execPath, [join(here, 'bin/robota.cjs'), '-p', 'hello'], {
    cwd: here,
    env: {
      PATH: process.env.PATH,
      HOME: scratch,
      ANTHROPIC_API_KEY: 'none',
      ANTHROPIC_BASE_URL: address,
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const said = await child.stderr.toArray();
  server.close();
  rmSync(scratch, { recursive: true, force: true });
  if (!existsSync(join(finalDirectory, 'main.cache')))
    throw new Error(`The bundle does not run: ${said.join('')}`);
}

/** Opens the terminal once and leaves it, so that the cache holds what the first picture executes. */
async function warmTerminal() {
  const scratch = join(finalDirectory, 'warm');
  const terminal = spawnPty(
    process.execPath,
    [join(here, 'bin/robota.cjs'), '--provider', 'demo'],
    {
      cwd: here,
      env: { PATH: process.env.PATH, HOME: scratch, TERM: 'xterm-256color' },
    },
  );
  let shown = '';
  terminal.onData((text) => {
    shown += text;
    if (text.includes('❯')) terminal.write('\u0004');
  });
  await new Promise((resolve) => terminal.onExit(resolve));
  rmSync(scratch, { recursive: true, force: true });
  if (!existsSync(join(finalDirectory, 'terminal.cache')))
    throw new Error(`The terminal does not run: ${shown}`);
}

/** Lists the sessions of an empty home, so that the cache holds what a list executes. */
async function warmList() {
  const scratch = join(finalDirectory, 'warm');
  const child = spawn(process.execPath, [join(here, 'bin/robota.cjs'), 'sessions', 'list'], {
    cwd: here,
    env: { PATH: process.env.PATH, HOME: scratch },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const said = await child.stderr.toArray();
  rmSync(scratch, { recursive: true, force: true });
  if (!existsSync(join(finalDirectory, 'list.cache')))
    throw new Error(`The list does not run: ${said.join('')}`);
}

/** Loads what no prompt has used so far, so that a place that cannot be written has a cache of it. */
function warmApart() {
  const { loadCached } = createRequire(import.meta.url)('./bin/load-cached.cjs');
  for (const name of Object.keys(APART)) loadCached(join(finalDirectory, `${name}.cjs`));
}
