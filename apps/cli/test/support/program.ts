import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../../../..');

/** The built program, built anew first when its sources are newer. */
export const PROGRAM = upToDate(join(ROOT, 'apps/cli/bin/robota.cjs'));

function upToDate(program: string): string {
  const ready = spawnSync(process.execPath, [join(ROOT, 'tools/ready.mjs'), '--build'], {
    encoding: 'utf8',
  });
  if (ready.status !== 0) throw new Error(`The program could not be built: ${ready.stderr}`);
  return program;
}
