#!/usr/bin/env node
'use strict';
// Handles --version and --help itself and loads the program only when needed. CommonJS, because an ES module entry
// makes Node start a quarter slower.
const path = require('node:path');

/** Commands with their own help text. */
const HAVE_HELP = new Set(
  'sessions search usage resume attach replay log validate serve web token archive acp mcp config completion doctor'.split(
    ' ',
  ),
);

const args = process.argv.slice(2);
const [first] = args;
const flags = args.includes('--') ? args.slice(0, args.indexOf('--')) : args;
if (first === '--version' || first === '-v') {
  process.stdout.write(`${require('../package.json').version}\n`);
} else if (!HAVE_HELP.has(first) && (flags.includes('--help') || flags.includes('-h'))) {
  process.stdout.write(require('node:fs').readFileSync(path.join(__dirname, 'help.txt'), 'utf8'));
} else if (process.platform === 'win32') {
  process.stderr.write('robota runs on Linux and macOS; on Windows start it inside WSL.\n');
  process.exitCode = 1;
} else if (!isNodeRecent()) {
  process.stderr.write(
    `robota needs Node 20.19 or newer, of Node 22 at least 22.3; this is ${process.versions.node}.\n`,
  );
  process.exitCode = 1;
} else {
  start();
}

function start() {
  try {
    const { loadProgram } = require('./load-program.cjs');
    loadProgram(path.join(__dirname, '../dist/cli')).runAsProcess();
  } catch (error) {
    process.stderr.write(
      `robota cannot start: ${error.message}\nInstall it again, or run npm run build in a checkout.\n`,
    );
    process.exitCode = 1;
  }
}

function isNodeRecent() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  return major > 22 || (major === 22 && minor >= 3) || (major === 20 && minor >= 19);
}
