// Installs pinned versions of the real agent programs outside the repository and drives them offline.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { argv, execPath, exit, stdout } from 'node:process';
import { fileURLToPath } from 'node:url';
import { installAgents } from './install-agents.mjs';

/** Newest and oldest accepted version of what is driven, and one of what is only read or speaks ACP. */
const PROGRAMS = [
  '@anthropic-ai/claude-code@2.1.325',
  '@openai/codex@0.166.0',
  '@google/gemini-cli@0.61.0',
  '@anthropic-ai/claude-code@2.1.200',
  '@openai/codex@0.148.0',
  '@google/gemini-cli@0.47.0',
  '@mariozechner/pi-coding-agent@0.73.1',
  'opencode-ai@1.18.33',
  '@agentclientprotocol/claude-agent-acp@0.99.1',
  '@agentclientprotocol/codex-acp@2.6.0',
  '@qwen-code/qwen-code@0.24.4',
];

const root = fileURLToPath(new URL('..', import.meta.url));
installAgents(PROGRAMS);

const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');
const report = join(mkdtempSync(join(tmpdir(), 'robota-agents-')), 'report.json');
const { status } = spawnSync(
  execPath,
  [
    vitest,
    'run',
    '--config',
    join(root, 'packages/transcript/test/real-agents/vitest.config.ts'),
    ...['--reporter=default', '--reporter=json', `--outputFile.json=${report}`],
    ...argv.slice(2),
  ],
  { cwd: root, stdio: 'inherit' },
);
if (existsSync(report)) stdout.write(tableOf(JSON.parse(readFileSync(report, 'utf8'))));
rmSync(join(report, '..'), { recursive: true, force: true });
exit(status ?? 1);

/** Scenarios down, programs across, as docs/agents.md shows it. */
function tableOf({ testResults }) {
  const tests = testResults
    .flatMap((file) => file.assertionResults)
    .filter(({ status: how }) => how === 'passed' || how === 'failed');
  const programs = [...new Set(tests.map(({ ancestorTitles }) => ancestorTitles[0] ?? ''))];
  const rows = new Map();
  for (const { title, ancestorTitles, status: how } of tests) {
    const row = rows.get(title) ?? new Map();
    rows.set(title, row.set(ancestorTitles[0] ?? '', how === 'passed' ? 'yes' : 'NO'));
  }
  const lines = [...rows].map(([title, row]) => [
    title,
    ...programs.map((program) => row.get(program) ?? '-'),
  ]);
  const head = ['scenario', ...programs];
  const ruler = head.map(() => '---');
  return `\n${[head, ruler, ...lines].map((cells) => `| ${cells.join(' | ')} |`).join('\n')}\n`;
}
