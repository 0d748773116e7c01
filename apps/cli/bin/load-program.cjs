'use strict';
// The program is many parts in two files: `main.cjs` holds those that a prompt needs until it is sent, `later.cjs` all
// others. A part is a CommonJS module that runs when it is first asked for; the second file is read when a part of it is.
// Some packages are files of their own.
const { createRequire } = require('node:module');
const path = require('node:path');
const { loadCached } = require('./load-cached.cjs');

exports.loadProgram = function loadProgram(directory) {
  const filename = path.join(directory, 'main.cjs');
  const outside = createRequire(filename);
  const first = loadCached(filename).parts;
  let later;
  const loaded = new Map();

  function requirePart(name) {
    const known = loaded.get(name);
    if (known) return known.exports;
    if (!name.startsWith('./')) return outside(name);
    if (name.endsWith('.cjs')) return requireFile(name);
    const part = { exports: {} };
    loaded.set(name, part);
    const run = first[name] ?? laterParts()[name];
    run(part.exports, requirePart, part, filename, directory);
    return part.exports;
  }

  function requireFile(name) {
    const file = { exports: loadCached(path.join(directory, name)) };
    loaded.set(name, file);
    return file.exports;
  }

  function laterParts() {
    later ??= loadCached(path.join(directory, 'later.cjs')).parts;
    return later;
  }

  return requirePart('./main.js');
};
