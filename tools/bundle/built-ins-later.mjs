// Modules of Node that few sessions use are loaded when one of their functions is called: each costs a start milliseconds.

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
  'node:worker_threads': `
    export function Worker(...given) {
      return new (load().Worker)(...given);
    }`,
};

/** A plugin for esbuild. */
export const builtInsLater = {
  name: 'built-ins-later',
  setup({ onLoad, onResolve }) {
    const named = new RegExp(`^(?:${Object.keys(STAND_INS).join('|')})$`);
    onResolve({ filter: named }, ({ path, kind }) =>
      kind === 'import-statement' ? { path, namespace: 'later', sideEffects: false } : undefined,
    );
    onLoad({ filter: /.*/, namespace: 'later' }, ({ path }) => ({
      contents: `const load = () => process.getBuiltinModule('${path}');${STAND_INS[path]}`,
      loader: 'js',
    }));
  },
};
