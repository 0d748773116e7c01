'use strict';
// The terminal UI is a separate bundle, loaded only on a terminal.
const path = require('node:path');
const { loadCached } = require('./load-cached.cjs');

exports.runTerminal = (options) =>
  loadCached(path.join(__dirname, '../dist/cli/terminal.cjs')).runTerminal(options);
