'use strict';
// The terminal is a bundle of its own, loaded only where there is one.
const path = require('node:path');
const { loadCached } = require('./load-cached.cjs');

exports.runTerminal = async (options) => {
  const { loadLayoutEngine, runTerminal } = loadCached(
    path.join(__dirname, '../dist/cli/terminal.cjs'),
  );
  await loadLayoutEngine();
  return runTerminal(options);
};
