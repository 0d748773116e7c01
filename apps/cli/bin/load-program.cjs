'use strict';
// The program is split into parts, grouped into a few files: `main.cjs` for every command, `prompt.cjs` up to sending a
// prompt, `call.cjs` for tool calls, `list.cjs` for listing sessions, `later.cjs` for the rest. A part is a CommonJS
// module that runs when it is first required; a file is read when its first part is required. Some packages have their
// own files.
const path = require('node:path');
const { loadCached, requireFrom } = require('./load-cached.cjs');

exports.loadProgram = function loadProgram(directory) {
  const filename = path.join(directory, 'main.cjs');
  const requireExternal = requireFrom(filename);
  const { parts, places } = loadCached(filename);
  const loaded = new Map();

  function requirePart(name) {
    const known = loaded.get(name);
    if (known) return known.exports;
    if (!name.startsWith('./')) return requireExternal(name);
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
