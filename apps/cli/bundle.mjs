// Bundles the command: main.cjs with everything but the terminal, terminal.cjs with that, and a compile cache beside
// each so that V8 does not parse megabytes at every start.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import process from 'node:process';
import { spawn as spawnPty } from '@lydell/node-pty';
import { build } from 'esbuild';

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

/** Texts in forty languages and a validator of an older age: nothing here reaches them, and they cost start-up time. */
const withoutBallast = {
  name: 'without-ballast',
  setup({ onResolve }) {
    const stub = (path) => () => ({ path: join(here, path) });
    onResolve({ filter: /^\.\.\/locales\/index\.js$/ }, stub('bundle/zod-locales.mjs'));
    onResolve({ filter: /^zod\/v3$/ }, stub('bundle/zod-v3.mjs'));
  },
};

/** Gives the provider packages our headers in place of the web's. */
const lightHeaders = {
  name: 'light-headers',
  setup({ onLoad }) {
    const headers = JSON.stringify(join(here, 'bundle/light-headers.mjs'));
    onLoad({ filter: /@ai-sdk[\\/][\w-]+[\\/]dist[\\/].*\.m?js$/ }, async ({ path }) => ({
      contents: `import { LightHeaders as Headers } from ${headers};\n${await readFile(path, 'utf8')}`,
      loader: 'js',
    }));
  },
};

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

/** Packages that cost tens of milliseconds and are not needed for the first picture: they are loaded when called. */
const LATER = { marked: 'bundle/marked.cjs', 'string-width': 'bundle/string-width.cjs' };

const loadedLater = {
  name: 'loaded-later',
  setup({ onResolve }) {
    onResolve({ filter: /^(?:marked|string-width)$/ }, ({ path, importer }) => {
      const standIn = join(here, LATER[path]);
      return importer === standIn ? undefined : { path: standIn };
    });
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
const cached = {
  outExtension: { '.js': '.cjs' },
  format: 'cjs',
  supported: { 'dynamic-import': false },
  define: { ...common.define, 'import.meta.url': '__moduleUrl' },
  banner: {
    js: "(function (exports, require, module, __filename, __dirname) { const __moduleUrl = require('node:url').pathToFileURL(__filename).href;",
  },
  footer: { js: '})' },
};

rmSync(outdir, { recursive: true, force: true });
await build({
  ...common,
  entryPoints: { main: 'src/main.ts' },
  outdir,
  plugins: [withoutBallast, lightHeaders, loadedLater, terminalApart],
  ...cached,
});
await build({
  ...common,
  entryPoints: { terminal: 'bundle/terminal-entry.mjs' },
  outdir,
  plugins: [withoutBallast, withoutWaiting, loadedLater],
  ...cached,
});
assertAscii();
putInPlace();
await warmCache();
await warmTerminal();

/** The loader reads bundles as ASCII; only regular expressions keep other characters as they are written. */
function assertAscii() {
  for (const name of ['main.cjs', 'terminal.cjs']) {
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
