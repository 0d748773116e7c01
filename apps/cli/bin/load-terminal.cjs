'use strict';
// The terminal is an ES module, and code from V8's cache cannot import one; this file can.
exports.runTerminal = async (options) => {
  const { runTerminal } = await import('../dist/cli/terminal.js');
  return runTerminal(options);
};
