import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { evaluatePermission } from '@robota-sdk/agent-core';
import { type BenchRow, ratioOf } from '../harness.ts';

const COMMAND =
  'cd src && npm test -- --watch=false && git status --short | grep modified | sort | uniq -c; echo done > /dev/null && ls -la | head -5 && npm run build';

const PROGRAMS = [
  'npm test',
  'npm run build',
  'git commit',
  'git add',
  'make',
  'cargo build',
  'go test',
  'docker ps',
  'kubectl get',
  'eslint',
];
const allow = PROGRAMS.flatMap((program) => [
  `Bash(${program}:*)`,
  `Bash(${program} --fast)`,
  `Edit(${program.split(' ')[0]}/**)`,
]);
const deny = [
  'rm',
  'sudo',
  'git push',
  'curl',
  'dd',
  'mkfs',
  'shutdown',
  'chmod',
  'chown',
  'kill',
  'ssh',
  'scp',
  'nc',
  'wget',
  'eval',
  'npm publish',
  'docker rm',
  'kubectl delete',
  'git reset',
  'git clean',
].map((program) => `Bash(${program}:*)`);
const lists = { cwd: join(import.meta.dirname, '../../packages/core'), allow, deny };
const REPEATS = 2000;
const baseline = /(?:^|[;&|]\s*)(?:rm|sudo|git push|curl|npm publish)\b/;

/** One decision on a command of ten parts against fifty rules. */
export const rows: readonly BenchRow[] = [
  {
    name: 'permission decision, 10-part command, 50 rules, against one regular expression test',
    unit: 'x',
    target: 200,
    async measure() {
      if (evaluatePermission('Bash', { command: COMMAND }, 'default', lists) !== 'auto') {
        throw new Error('the measured command is expected to be allowed');
      }
      const { value, detail } = await ratioOf(
        () => repeat(() => evaluatePermission('Bash', { command: COMMAND }, 'default', lists)),
        () => repeat(() => baseline.test(COMMAND)),
      );
      return {
        value,
        detail: `${detail} for ${REPEATS} each; ${allow.length + deny.length} rules`,
      };
    },
  },
  {
    name: 'permission decision, 20,000-part command, against a 1,000-part one',
    unit: 'x',
    target: 50,
    measure: () => {
      let turn = 0;
      // Each command is new, so that no cache helps.
      const judge = (parts: number) =>
        evaluatePermission(
          'Bash',
          { command: `${Array.from({ length: parts }, () => 'ls').join(';')} #${turn++}` },
          'default',
          lists,
        );
      return ratioOf(
        () => judge(20_000),
        () => judge(1_000),
      );
    },
  },
  {
    name: 'read-only judgement of new everyday commands, each against a bare spawn of true',
    unit: 'x',
    target: 0.2,
    measure: () => {
      let turn = 0;
      return ratioOf(
        () => {
          for (const command of EVERYDAY) {
            evaluatePermission('Bash', { command: `${command} # ${turn++}` }, 'default', lists);
          }
        },
        () => {
          for (let count = 0; count < EVERYDAY.length; count++) spawnSync('true');
        },
      );
    },
  },
];

const EVERYDAY = [
  'ls -la',
  'git status',
  'grep -rn x src',
  'cat package.json | head',
  "find . -name '*.ts'",
  'sed -n 1,5p package.json',
  'cat src/index.ts | wc -l',
  'git log --oneline -5',
];

function repeat(work: () => unknown): void {
  for (let count = 0; count < REPEATS; count++) work();
}
