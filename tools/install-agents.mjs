// Pinned versions of other agent programs, installed from npm outside the repository.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { env } from 'node:process';

export const AGENTS_CACHE =
  env.ROBOTA_AGENTS_CACHE ?? join(env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'robota-agents');

/** Where a program is installed. */
export function agentFolder(program) {
  return join(AGENTS_CACHE, program.replace(/[@/]/g, '_'), 'node_modules');
}

/** Installs what is missing; throws when npm cannot. */
export function installAgents(programs) {
  for (const program of programs) {
    const installed = agentFolder(program);
    if (existsSync(installed)) continue;
    const folder = join(installed, '..');
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'package.json'), '{"private":true}\n');
    // Without install scripts: the platform's program is called directly.
    const npmArgs = [
      'install',
      '--no-audit',
      '--no-fund',
      '--ignore-scripts',
      '--engine-strict=false',
    ];
    const { status } = spawnSync('npm', [...npmArgs, program], { cwd: folder, stdio: 'inherit' });
    if (status === 0) continue;
    rmSync(installed, { recursive: true, force: true });
    throw new Error(`npm could not install ${program}; see above.`);
  }
}
