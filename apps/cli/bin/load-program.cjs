'use strict';
// The program is many parts in a few files: `main.cjs` holds those that every command needs, `prompt.cjs` those that a prompt
// needs until it is sent, `list.cjs` those that list sessions, `later.cjs` all others. A part is a CommonJS module that runs
// when it is first asked for; a file is read when a part of it is. Some packages are files of their own.
const { createRequire } = require('node:module');
const path = require('node:path');
const { loadCached } = require('./load-cached.cjs');

exports.loadProgram = function loadProgram(directory) {
  const filename = path.join(directory, 'main.cjs');
  const outside = createRequire(filename);
  const { parts, places } = loadCached(filename);
  const loaded = new Map();

  function requirePart(name) {
    const known = loaded.get(name);
    if (known) return known.exports;
    if (!name.startsWith('./')) return outside(name);
    if (name.endsWith('.cjs')) return requireFile(name);
    const run = parts[name] ?? requireFile(`./${places[name] ?? 'later'}.cjs`).parts[name];
    const part = { exports: {} };
    loaded.set(name, part);
    run(part.exports, requirePart, part, filename, directory);
    return part.exports;
  }

  function requireFile(name) {
    const known = loaded.get(name);
    if (known) return known.exports;
    const file = { exports: loadCached(path.join(directory, name)) };
    loaded.set(name, file);
    return file.exports;
  }

  return requirePart('./main.js');
};
