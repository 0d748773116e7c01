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
const lists = { cwd: process.cwd(), allow, deny };
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
];

function repeat(work: () => unknown): void {
  for (let count = 0; count < REPEATS; count++) work();
}
