// Node's own modules without `import`: for an import Node reads every export of the module, which loads streams with `fs`
// and MIME types with `util`. The modules below are taken from `process.getBuiltinModule` instead, and the rarely used
// ones when one of their functions is first called: each costs milliseconds at start-up.

/** Loaded by Node before any program runs, or small. */
const TAKEN_AT_ONCE = ['buffer', 'events', 'fs', 'fs/promises', 'path', 'url', 'util'].map(
  (name) => `node:${name}`,
);

/** By module: what stands in for the names that our sources import. */
const STAND_INS = {
  'node:child_process': `
    export const spawn = (...given) => load().spawn(...given);
    export const spawnSync = (...given) => load().spawnSync(...given);
    export const execFileSync = (...given) => load().execFileSync(...given);
    const promised = Symbol.for('nodejs.util.promisify.custom');
    export const execFile = Object.assign((...given) => load().execFile(...given), {
      [promised]: (...given) => load().execFile[promised](...given),
    });`,
  // The first bytes come from the kernel, which seeds Node's generator, too: a first session needs no more of them, and
  // loading the module would take a tenth of bare Node's start. Reads of up to 256 bytes are never cut short.
  'node:crypto': `
    export const createCipheriv = (...given) => load().createCipheriv(...given);
    export const createDecipheriv = (...given) => load().createDecipheriv(...given);
    export const createHash = (...given) => load().createHash(...given);
    export const createHmac = (...given) => load().createHmac(...given);
    export const hash = (...given) => load().hash(...given);
    export const timingSafeEqual = (...given) => load().timingSafeEqual(...given);
    export const randomBytes = (size, ...rest) =>
      (rest.length === 0 && take(size)) || load().randomBytes(size, ...rest);
    export const randomUUID = (...given) => {
      const bytes = take(16);
      if (bytes === undefined) return load().randomUUID(...given);
      bytes[6] = (bytes[6] & 0x0f) | 0x40;
      bytes[8] = (bytes[8] & 0x3f) | 0x80;
      return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
    };
    let unused;
    function take(size) {
      unused ??= fromKernel();
      if (!(size > 0 && size <= unused.length)) return undefined;
      const taken = Buffer.alloc(size);
      unused.copy(taken);
      unused = unused.subarray(size);
      return taken;
    }
    function fromKernel() {
      const { openSync, readSync, closeSync } = process.getBuiltinModule('node:fs');
      const bytes = Buffer.alloc(256);
      try {
        const device = openSync('/dev/urandom');
        try {
          return bytes.subarray(0, readSync(device, bytes));
        } finally {
          closeSync(device);
        }
      } catch {
        // Windows, or a sandbox without devices: the module is loaded.
        return bytes.subarray(0, 0);
      }
    }`,
  'node:module': 'export const createRequire = (...given) => load().createRequire(...given);',
  'node:os': `
    export const homedir = () => load().homedir();
    export const hostname = () => load().hostname();
    export const tmpdir = () => load().tmpdir();
    export const constants = {
      get signals() {
        return load().constants.signals;
      },
    };`,
  'node:timers/promises': `
    export const setImmediate = (...given) => load().setImmediate(...given);
    export const setTimeout = (...given) => load().setTimeout(...given);`,
  'node:worker_threads': `
    export function Worker(...given) {
      return new (load().Worker)(...given);
    }`,
};

/** The modules that the plugin replaces. */
export const BUILT_IN = new RegExp(
  `^(?:${[...TAKEN_AT_ONCE, ...Object.keys(STAND_INS)].join('|')})$`,
);

/** A plugin for esbuild. */
export const builtIns = {
  name: 'built-ins',
  setup({ onLoad, onResolve }) {
    onResolve({ filter: BUILT_IN }, ({ path, kind }) =>
      kind === 'import-statement'
        ? { path, namespace: 'built-ins', sideEffects: false }
        : undefined,
    );
    onLoad({ filter: /.*/, namespace: 'built-ins' }, async ({ path }) => ({
      contents: path in STAND_INS ? takenLater(path) : await takenAtOnce(path),
      loader: 'js',
    }));
  },
};

function takenLater(path) {
  return `const load = () => process.getBuiltinModule('${path}');${STAND_INS[path]}`;
}

/** Only names that are used remain in the bundle, because to read any other could load what it belongs to. */
async function takenAtOnce(path) {
  const names = Object.keys(await import(path)).filter((name) => name !== 'default');
  const values = names.map(
    (name) => `export const ${name} = /* @__PURE__ */ (() => all.${name})();`,
  );
  return `const all = /* @__PURE__ */ process.getBuiltinModule('${path}');
export default all;
${values.join('\n')}`;
}
