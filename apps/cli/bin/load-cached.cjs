'use strict';
// Loads a bundle (a CommonJS module wrapped in a function) with V8's compile cache, stored beside it, to skip parsing.
// V8 rejects a cache from another Node version; the file is then compiled as usual and the cache rewritten.
const fs = require('node:fs');
const path = require('node:path');
const vm = require('node:vm');

exports.loadCached = function loadCached(filename) {
  const cacheFile = filename.replace(/\.cjs$/, '.cache');
  const cachedData = readIfExists(cacheFile);
  // Bundles are pure ASCII, and latin1 decodes faster than UTF-8.
  const script = new vm.Script(fs.readFileSync(filename, 'latin1'), { filename, cachedData });
  const loaded = { exports: {} };
  const run = script.runInThisContext();
  run.call(
    loaded.exports,
    loaded.exports,
    requireFrom(filename),
    loaded,
    filename,
    path.dirname(filename),
  );
  if (!cachedData || script.cachedDataRejected)
    process.once('exit', () => writeCache(cacheFile, script));
  return loaded.exports;
};

/** What a module at `filename` would call `require`; for Node's own modules there is no need to load another for it. */
exports.requireFrom = requireFrom;
function requireFrom(filename) {
  let requireFile;
  return (name) => {
    if (name.startsWith('node:')) return require(name);
    requireFile ??= require('node:module').createRequire(filename);
    return requireFile(name);
  };
}

function readIfExists(file) {
  try {
    return fs.readFileSync(file);
  } catch {
    return undefined;
  }
}

/** Written at exit, so that it contains everything this run compiled; skipped when the folder is not writable. */
function writeCache(cacheFile, script) {
  const temporary = `${cacheFile}.${process.pid}`;
  try {
    fs.writeFileSync(temporary, script.createCachedData());
    fs.renameSync(temporary, cacheFile);
  } catch {
    fs.rmSync(temporary, { force: true });
  }
}
