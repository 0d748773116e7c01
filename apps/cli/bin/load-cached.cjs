'use strict';
// Loads a bundle, a CommonJS module wrapped as a function, with V8's compile cache beside it: what was compiled once is
// not parsed again. A cache of another Node version is refused by V8 itself; then the file is compiled as usual and the
// cache renewed.
const fs = require('node:fs');
const { createRequire } = require('node:module');
const path = require('node:path');
const vm = require('node:vm');

exports.loadCached = function loadCached(filename) {
  const cacheFile = filename.replace(/\.cjs$/, '.cache');
  const cachedData = readIfThere(cacheFile);
  // Bundles are written in ASCII, which is quicker to read as what it is.
  const script = new vm.Script(fs.readFileSync(filename, 'latin1'), { filename, cachedData });
  const loaded = { exports: {} };
  const run = script.runInThisContext();
  run.call(
    loaded.exports,
    loaded.exports,
    createRequire(filename),
    loaded,
    filename,
    path.dirname(filename),
  );
  if (!cachedData || script.cachedDataRejected)
    process.once('exit', () => renew(cacheFile, script));
  return loaded.exports;
};

function readIfThere(file) {
  try {
    return fs.readFileSync(file);
  } catch {
    return undefined;
  }
}

/** Written at exit, so that it holds what this run compiled; a place that cannot be written goes without. */
function renew(cacheFile, script) {
  const temporary = `${cacheFile}.${process.pid}`;
  try {
    fs.writeFileSync(temporary, script.createCachedData());
    fs.renameSync(temporary, cacheFile);
  } catch {
    fs.rmSync(temporary, { force: true });
  }
}
