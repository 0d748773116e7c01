import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { BUBBLEWRAP_PLACES, bubblewrap } from './bubblewrap.ts';
import type { Confinement, ConfinementState } from './confinement.ts';
import { SEATBELT_PLACE, seatbelt } from './seatbelt.ts';

const PROBE_MS = 5_000;

let found: Promise<ConfinementState> | undefined;

/** The system's confinement, detected once by running a confined command. */
export function findConfinement(): Promise<ConfinementState> {
  found ??= probe(candidate());
  return found;
}

function candidate(): Confinement | string {
  if (process.platform === 'darwin') {
    return existsSync(SEATBELT_PLACE) ? seatbelt : `${SEATBELT_PLACE} is not there`;
  }
  if (process.platform !== 'linux') return `there is none for ${process.platform}`;
  const file = BUBBLEWRAP_PLACES.find((place) => existsSync(place));
  return file === undefined ? 'bubblewrap (bwrap) is not installed' : bubblewrap(file);
}

async function probe(confinement: Confinement | string): Promise<ConfinementState> {
  if (typeof confinement === 'string') return { available: false, reason: confinement };
  const problem = await runConfinedTrue(confinement);
  return problem === undefined
    ? { available: true, confinement }
    : { available: false, reason: problem };
}

/** Runs `true` with the same arguments that commands get; returns the error, if any. */
function runConfinedTrue(confinement: Confinement): Promise<string | undefined> {
  const start = confinement.start({
    kind: 'read-only',
    command: 'true',
    shell: '/bin/sh',
    workingDirectory: '/',
    roots: [tmpdir()],
  });
  const child = spawn(start.file, start.args, {
    stdio: ['ignore', 'ignore', 'pipe', ...start.descriptors],
    timeout: PROBE_MS,
  });
  start.started();
  let stderr = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  return new Promise((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('close', (code) => {
      start.ended();
      resolve(code === 0 ? undefined : stderr.trim() || `it ended with code ${code}`);
    });
  });
}
