// Bundles the command: main.cjs with everything but the terminal, whose layout engine must be an ES module, and a
// compile cache beside it so that V8 does not parse megabytes at every start.
import { spawn } from 'node:child_process';
import { existsSync, renameSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import process from 'node:process';
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

/** The terminal stays a module of its own, loaded when there is one, by a file that can: cached code cannot import. */
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

rmSync(outdir, { recursive: true, force: true });
await build({
  ...common,
  entryPoints: { main: 'src/main.ts' },
  outdir,
  outExtension: { '.js': '.cjs' },
  format: 'cjs',
  supported: { 'dynamic-import': false },
  plugins: [withoutBallast, lightHeaders, terminalApart],
  define: { ...common.define, 'import.meta.url': '__moduleUrl' },
  banner: { js: "const __moduleUrl = require('node:url').pathToFileURL(__filename).href;" },
});
await build({
  ...common,
  entryPoints: { terminal: 'src/terminal/run-terminal.tsx' },
  outdir,
  format: 'esm',
  splitting: true,
  plugins: [withoutBallast],
  banner: {
    js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
  },
});
putInPlace();
await warmCache();

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
