// Bundles the command: main.cjs with what every command needs, prompt.cjs up to sending a prompt, call.cjs for tool calls,
// list.cjs for listing sessions, later.cjs for the rest, terminal.cjs for the terminal UI, and rarely used packages in their
// own files. Each has a compile cache beside it, so that V8 does not parse megabytes at every start.
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
/** Built beside the final directory and swapped in at the end, so that a running program always finds all its files. */
const outdir = `${finalDirectory}.${process.pid}`;

const common = {
  absWorkingDir: here,
  bundle: true,
  minify: true,
  platform: 'node',
  target: 'node20.19',
  conditions: ['robota-source'],
  define: { 'process.env.NODE_ENV': '"production"' },
  // Native packages cannot be bundled.
  external: ['@photostructure/sqlite'],
  logLevel: 'warning',
};

/** Provider packages also load zod 3, which costs start-up time; we never pass them its schemas. */
const withoutOldZod = {
  name: 'without-old-zod',
  setup({ onResolve }) {
    onResolve({ filter: /^zod\/v3$/ }, () => ({ path: join(here, 'bundle/zod-v3.mjs') }));
  },
};

/** Skips the provider packages' validation of options that our own code sets: it would load a validator at start-up. */
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

/** Replaces `Headers` in the provider packages with ours, and skips validation of options that our own code sets. */
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

/** Packages that take milliseconds to load and are needed neither to send a prompt nor to draw the first frame: loaded when called. */
const LAZY_PACKAGES = {
  marked: 'bundle/marked.cjs',
  'string-width': 'bundle/string-width.cjs',
  yaml: 'bundle/yaml.cjs',
  unbash: 'bundle/unbash.cjs',
  'eventsource-parser/stream': 'bundle/event-source.cjs',
};

const lazyPackages = {
  name: 'lazy-packages',
  setup({ onResolve }) {
    const named = new RegExp(`^(?:${Object.keys(LAZY_PACKAGES).join('|')})$`);
    onResolve({ filter: named }, ({ path, importer }) => {
      const wrapper = join(here, LAZY_PACKAGES[path]);
      return importer === wrapper ? undefined : { path: wrapper };
    });
  },
};

/** Packages bundled into their own files, which start-up does not read. */
const SEPARATE_FILES = {
  zod: 'zod',
  yaml: 'yaml',
  unbash: 'unbash',
  'event-source': 'eventsource-parser/stream',
};

const separateFiles = {
  name: 'separate-files',
  setup({ onLoad, onResolve }) {
    for (const [name, specifier] of Object.entries(SEPARATE_FILES)) {
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

/** A lazy module with all exports of zod adds a getter for each to every part that imports it; a prompt needs only three. */
const USE_FEW_NAMES = /[\\/](?:packages|apps|@ai-sdk)[\\/]/;
const FEW_NAMES = `
  const zod = () => require('./zod.cjs');
  export const z = new Proxy({}, { get: (_target, name) => zod().z[name] });
  export const toJSONSchema = (...args) => zod().toJSONSchema(...args);
  export const safeParseAsync = (...args) => zod().safeParseAsync(...args);
`;

/** A CommonJS module with these exports; using any of them loads the real module. */
function lazyModule(path, names) {
  const getters = names
    .filter((name) => name !== 'default')
    .map((name) => `get ${name}() { return require('${path}').${name}; }`);
  return `module.exports = { ${getters.join(',')} };`;
}

/** Node modules that few runs need, or that only the first request needs: loaded when one of their exports is used. */
const LAZY_BUILT_INS =
  /^node:(?:child_process|dns|http|https|net|readline|timers\/promises|tls|worker_threads|zlib)$/;

const lazyBuiltIns = {
  name: 'lazy-built-ins',
  setup({ onLoad, onResolve }) {
    onResolve({ filter: LAZY_BUILT_INS }, ({ path, kind }) =>
      kind === 'import-statement' ? { path, namespace: 'later' } : { path, external: true },
    );
    onLoad({ filter: /.*/, namespace: 'later' }, async ({ path }) => ({
      contents: lazyModule(path, Object.keys(await import(path))),
      loader: 'js',
    }));
  },
};

/** The terminal UI is a separate bundle, loaded only on a terminal. */
const separateTerminal = {
  name: 'separate-terminal',
  setup({ onResolve }) {
    onResolve({ filter: /run-terminal\.ts$/ }, ({ kind }) =>
      kind === 'dynamic-import'
        ? { path: '../../bin/load-terminal.cjs', external: true }
        : undefined,
    );
  },
};

/** The wrapper that `load-cached.cjs` expects: adding it here avoids copying megabytes at load time. */
const HEAD =
  "(function (exports, require, module, __filename, __dirname) { const __moduleUrl = require('node:url').pathToFileURL(__filename).href;";
const TAIL = '})';
const COMMON_JS = { format: 'cjs', supported: { 'dynamic-import': false } };
const define = { ...common.define, 'import.meta.url': '__moduleUrl' };

/** The files of the program. */
const PROGRAM = ['main', 'prompt', 'call', 'list', 'later'];

/** Entry modules of every command. */
const START = ['src/main.ts'];
/** Entry modules of a prompt until it is sent and of the terminal until its first frame; their imports are included. */
const PROMPT = [
  'src/commands/print.ts',
  'src/commands/interactive.ts',
  '../../packages/sdk/src/config/check-settings.ts',
  '../../packages/sdk/src/mcp/connect-servers.ts',
  '../../packages/sdk/src/rewind/session-file-tracker.ts',
  '../../packages/provider/src/anthropic/index.ts',
  '../../packages/provider/src/demo/index.ts',
];
/** Entry modules of a tool call: permission checks, hooks, skills, and tools that are loaded when they are called. */
const CALL = [
  '../../packages/core/src/run/run-tool-batch.ts',
  '../../packages/core/src/hooks/configured-hooks.ts',
  '../../packages/sdk/src/skills/contribute-skills.ts',
  '../../packages/core/src/permissions/evaluate-permission.ts',
  '../../packages/core/src/permissions/index.ts',
  '../../packages/tools/src/process/run-command.ts',
  '../../packages/tools/src/search/glob.ts',
  '../../packages/tools/src/search/grep.ts',
];
/** Entry modules of a session list. */
const LIST = [
  'src/commands/sessions/sessions.ts',
  'src/commands/sessions/list.ts',
  '../../packages/archive/src/sqlite/index.ts',
];

rmSync(outdir, { recursive: true, force: true });
await bundleTerminal();
await bundleProgram();
await bundleSeparateFiles();
assertAscii();
// The web page ships with the program that serves it.
cpSync(join(here, '../web/dist/page'), join(outdir, 'page'), { recursive: true });
moveIntoPlace();
await warmPrompt();
await warmCall();
await warmTerminal();
await warmList();
warmSeparateFiles();

async function bundleTerminal() {
  await build({
    ...common,
    ...COMMON_JS,
    define,
    entryPoints: { terminal: 'src/terminal/run-terminal.ts' },
    outdir,
    outExtension: { '.js': '.cjs' },
    banner: { js: HEAD },
    footer: { js: TAIL },
    plugins: [englishOnly, withoutOldZod, lazyPackages],
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
      separateFiles,
      lazyPackages,
      lazyBuiltIns,
      separateTerminal,
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
    if (file !== 'main' && file !== 'later') places[name] = file;
  }
  for (const [name, texts] of Object.entries(parts)) {
    const index = name === 'main' ? `exports.places = ${JSON.stringify(places)};` : '';
    writeFileSync(
      join(outdir, `${name}.cjs`),
      `${HEAD} ${index} exports.parts = {\n${texts.join(',\n')}\n}; ${TAIL}\n`,
    );
  }
}

/** Which file a part belongs to; parts that both a prompt and a list need go to main.cjs, which is always read. */
function placesOf(outputs) {
  const [start, prompt, call, list] = [START, PROMPT, CALL, LIST].map((each) =>
    reachedFrom(each, outputs),
  );
  return (name) => {
    if (start.has(name) || (prompt.has(name) && list.has(name))) return 'main';
    if (prompt.has(name)) return 'prompt';
    if (call.has(name)) return 'call';
    return list.has(name) ? 'list' : 'later';
  };
}

async function bundleSeparateFiles() {
  await build({
    ...common,
    ...COMMON_JS,
    define,
    entryPoints: SEPARATE_FILES,
    outdir,
    outExtension: { '.js': '.cjs' },
    banner: { js: HEAD },
    footer: { js: TAIL },
    plugins: [englishOnly],
  });
}

/** The parts that the entries import statically. */
function reachedFrom(entries, outputs) {
  const pending = entries.map((entry) => {
    const found = [...outputs].find(([, output]) => output.entryPoint === entry);
    if (found === undefined) throw new Error(`${entry} is no part of its own any more`);
    return found[0];
  });
  const reached = new Set();
  for (let name = pending.pop(); name !== undefined; name = pending.pop()) {
    if (reached.has(name)) continue;
    reached.add(name);
    const needed = outputs.get(name).imports.filter(({ kind }) => kind === 'import-statement');
    pending.push(...needed.map(({ path }) => basename(path)).filter((path) => outputs.has(path)));
  }
  return reached;
}

/** The loader reads bundles as ASCII; esbuild escapes other characters everywhere except in regular expressions. */
function assertAscii() {
  const separate = Object.keys(SEPARATE_FILES);
  for (const name of [...PROGRAM, 'terminal', ...separate].map((each) => `${each}.cjs`)) {
    const [found] = /.{0,40}[^\0-\x7f]/.exec(readFileSync(join(outdir, name), 'utf8')) ?? [];
    if (found) throw new Error(`${name} is not ASCII; write it with an escape: ${found}`);
  }
}

function moveIntoPlace() {
  const old = `${finalDirectory}.old.${process.pid}`;
  if (existsSync(finalDirectory)) renameSync(finalDirectory, old);
  renameSync(outdir, finalDirectory);
  rmSync(old, { recursive: true, force: true });
}

/** Sends a prompt to a local server that rejects it, so that the cache covers what a prompt executes until it is sent. */
async function warmPrompt() {
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
  const stderr = await child.stderr.toArray();
  server.close();
  rmSync(scratch, { recursive: true, force: true });
  if (!existsSync(join(finalDirectory, 'main.cache')))
    throw new Error(`The bundle does not run: ${stderr.join('')}`);
}

/** Lets the demo provider make tool calls, so that the cache covers checking and running them. */
async function warmCall() {
  const stderr = await runOnce(['-p', 'list files', '--provider', 'demo']);
  if (!existsSync(join(finalDirectory, 'call.cache')))
    throw new Error(`A call does not run: ${stderr}`);
}

/** Opens the terminal once and exits it, so that the cache covers the first frame. */
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

/** Lists the sessions of an empty home, so that the cache covers a session list. */
async function warmList() {
  const stderr = await runOnce(['sessions', 'list']);
  if (!existsSync(join(finalDirectory, 'list.cache')))
    throw new Error(`The list does not run: ${stderr}`);
}

/** Runs the command with an empty home and returns its stderr. */
async function runOnce(args) {
  const scratch = join(finalDirectory, 'warm');
  const child = spawn(process.execPath, [join(here, 'bin/robota.cjs'), ...args], {
    cwd: here,
    env: { PATH: process.env.PATH, HOME: scratch },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const stderr = await child.stderr.toArray();
  rmSync(scratch, { recursive: true, force: true });
  return stderr.join('');
}

/** Loads the files that no run above has used, so that they are cached even where the installation is read-only. */
function warmSeparateFiles() {
  const { loadCached } = createRequire(import.meta.url)('./bin/load-cached.cjs');
  for (const name of Object.keys(SEPARATE_FILES)) loadCached(join(finalDirectory, `${name}.cjs`));
}
