#!/usr/bin/env node
'use strict';
// Answers --version and --help by itself and loads the program only when there is work: CommonJS, because an
// ES module alone makes Node start a quarter slower.
const path = require('node:path');

/** Commands that describe themselves. */
const HAVE_HELP = new Set(
  'sessions search usage resume attach replay log validate serve web token archive acp mcp config completion doctor'.split(
    ' ',
  ),
);

const given = process.argv.slice(2);
const [first] = given;
const flags = given.includes('--') ? given.slice(0, given.indexOf('--')) : given;
if (first === '--version' || first === '-v') {
  process.stdout.write(`${require('../package.json').version}\n`);
} else if (!HAVE_HELP.has(first) && (flags.includes('--help') || flags.includes('-h'))) {
  process.stdout.write(require('node:fs').readFileSync(path.join(__dirname, 'help.txt'), 'utf8'));
} else if (process.platform === 'win32') {
  process.stderr.write('robota runs on Linux and macOS; on Windows start it inside WSL.\n');
  process.exitCode = 1;
} else if (!isNodeRecent()) {
  process.stderr.write(`robota needs Node 20.19 or newer; this is ${process.versions.node}.\n`);
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
  return major > 20 || (major === 20 && minor >= 19);
}
