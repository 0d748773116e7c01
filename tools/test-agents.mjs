// Installs pinned versions of the real agent programs outside the repository and drives them offline.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { argv, env, execPath, exit } from 'node:process';
import { fileURLToPath } from 'node:url';

const PROGRAMS = [
  ['_anthropic-ai_claude-code_2.1.325', '@anthropic-ai/claude-code@2.1.325'],
  ['_openai_codex_0.166.0', '@openai/codex@0.166.0'],
  ['_google_gemini-cli_0.61.0', '@google/gemini-cli@0.61.0'],
];

const root = fileURLToPath(new URL('..', import.meta.url));
const cache =
  env.ROBOTA_AGENTS_CACHE ?? join(env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'robota-agents');

for (const [name, program] of PROGRAMS) {
  const folder = join(cache, name);
  if (existsSync(join(folder, 'node_modules'))) continue;
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
  if (status !== 0) exit(status ?? 1);
}

const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');
const { status } = spawnSync(
  execPath,
  [
    vitest,
    'run',
    '--config',
    join(root, 'packages/transcript/test/real-agents/vitest.config.ts'),
    ...argv.slice(2),
  ],
  { cwd: root, stdio: 'inherit' },
);
exit(status ?? 1);
