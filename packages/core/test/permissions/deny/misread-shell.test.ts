import { evaluatePermission, explainPermission } from '@robota-sdk/agent-core';
import { describe, expect, it } from 'vitest';
import { Box } from '../read-only/box.ts';

const box = new Box();
const restore = () => {
  box.write('index.txt', 'a[$(rm victim)]\n');
  box.write('ticks.txt', '`rm victim`\n');
  box.write('victim', 'still here\n');
};
restore();

const deny = ['Bash(rm:*)'];

/** The outcome where `rm` is denied: the command is denied, or the effect of running it. */
function attempt(command: string): string {
  const lists = { cwd: box.project, deny };
  if (evaluatePermission('Bash', { command }, 'bypassPermissions', lists) === 'deny')
    return 'denied';
  const effect = box.effectOf(`${command}\nwait`);
  if (effect !== 'no effect') restore();
  return effect;
}

const DATA = '"$(cat index.txt)"';

/** The shell assigns numbers to these variables, and evaluates any other value. */
const ASSIGNING = ['RANDOM', 'SRANDOM', 'HISTCMD', 'OPTIND', 'SECONDS'].flatMap((name) => [
  `${name}=$(cat index.txt)`,
  `${name}=${DATA}`,
  `${name}+=${DATA}`,
  `read ${name} < index.txt`,
  `read -r x ${name} <<< "1 $(cat index.txt)"`,
  `while read -r ${name}; do :; done < index.txt`,
  `for ${name} in ${DATA}; do :; done`,
  `select ${name} in ${DATA}; do break; done <<< 1`,
  `mapfile -t ${name} < index.txt`,
  `printf -v ${name} %s ${DATA}`,
  `export ${name}=${DATA}`,
  `declare ${name}=${DATA}`,
  `f() { local ${name}=${DATA}; }; f`,
]);

/** A word after `>&` that is no number is expanded twice. */
const EXPANDED_TWICE = [
  "echo x >&'$(rm victim)'",
  "echo x >&'`rm victim`'",
  "echo x >& '$(rm victim)'",
  "echo x >&a'$(rm victim)'b",
  "echo x 1>&'$(rm victim)'",
  "echo x >&$'`rm victim`'",
  'echo x >&\\`rm\\ victim\\`',
  "echo x >&~/'$(rm victim)'",
  'echo x >&"$(cat ticks.txt)"',
  'x=$(cat ticks.txt); echo a >&"$x"',
  ">&'$(rm victim)'",
  "exec >&'$(rm victim)'",
  "{ echo x; } >&'`rm victim`'",
  "(echo x) >&'$(rm victim)'",
  "if true; then echo; fi >&'$(rm victim)'",
  "for i in 1; do echo; done >&'$(rm victim)'",
  "while false; do :; done >&'$(rm victim)'",
  "f() { echo; } >&'$(rm victim)'; f",
  "[[ a ]] >&'$(rm victim)'",
  "((1)) >&'$(rm victim)'",
];

/** What looks quoted inside an expansion is not. */
const NOT_QUOTED = [
  `cat <<E\n\${a-'$(rm victim)'}\nE`,
  `cat <<E\n\${a:-'\`rm victim\`'}\nE`,
  `cat <<-E\n\t\${a='$(rm victim)'}\nE`,
  `cat <<E\n"\${a-'$(rm victim)'}"\nE`,
  `cat <<E\n\${a-\${b-'$(rm victim)'}}\nE`,
  `cat <<E\n\${a-$'$(rm victim)'}\nE`,
  `echo "\${a-$'$(rm victim)'}"`,
  `echo "x\${a:-b$'\`rm victim\`'}"`,
];

/** A number or a name in braces before a process substitution is a part of the word. */
const JOINED = [
  'echo 1<(rm victim)',
  'echo 12<(rm victim)b',
  'echo 2>(rm victim)',
  'echo {x}<(rm victim)',
  '1<(rm victim)',
  '[[ -n 1<(rm victim) ]]',
  '[[ 1<(rm victim) == a ]]',
  'case 1<(rm victim) in *) ;; esac',
  'a=(1<(rm victim))',
  'for i in 1<(rm victim); do :; done',
];

describe('text that bash reads in another way than it looks', () => {
  it.each([...ASSIGNING, ...EXPANDED_TWICE, ...NOT_QUOTED, ...JOINED])(
    'does not run a denied command: %j',
    (command) => {
      expect(['denied', 'no effect']).toContain(attempt(command));
    },
  );

  it('runs it when nothing is denied', () => {
    const effects = [...EXPANDED_TWICE, ...NOT_QUOTED, ...JOINED].map((command) => {
      const effect = box.effectOf(`${command}\nwait`);
      restore();
      return effect;
    });

    expect(effects.filter((effect) => effect !== 'no effect').length).toBeGreaterThan(30);
  });

  it.each([
    'echo x >&2',
    'echo x 2>&1 | cat',
    'echo x > out.txt 2>&1',
    'echo x 2>&-',
    'echo x >&out.txt',
    `cat <<E\nit's \${HOME} and "\${a-b}"\nE`,
    `cat <<'E'\n\${a-'x'}\nE`,
    'OPTIND=1',
    'echo $RANDOM',
    'SECONDS=0; true; echo $SECONDS',
    'read -r name < a.txt',
    'mapfile -t -n 5 lines < a.txt',
    '[[ abc =~ ^(a|b)c*$ ]]',
    'echo "1<(a)" \'2>(b)\' c\\<\\(d\\)',
    'diff <(sort a.txt) <(sort b.json)',
    'case x in (a|b) echo 1;; *) echo 2;; esac',
  ])('is denied only where it is read differently: %j', (command) => {
    const lists = { cwd: box.project, deny };

    expect(evaluatePermission('Bash', { command }, 'bypassPermissions', lists)).toBe('auto');
  });
});

describe('a rule that allows a program', () => {
  const allow = ['Bash(echo:*)', 'Bash(cat:*)', 'Bash(npm test:*)'];
  const commands = [...EXPANDED_TWICE, ...NOT_QUOTED, ...JOINED]
    .map((command) => command.replaceAll('rm victim', `touch ${box.root}/pwned`))
    .flatMap((command) => [
      command,
      `ls; ${command}`,
      `ls; ${command.replace(/^echo/, 'npm test')}`,
    ]);

  it.each(commands)('does not allow what its words start: %j', (command) => {
    const lists = { cwd: box.project, allow };
    const { decision, run } = explainPermission('Bash', { command }, 'acceptEdits', lists);
    const effect = decision === 'auto' ? box.effectOf(`${run?.command ?? command}\nwait`) : '';
    if (effect !== 'no effect') restore();

    expect(effect).not.toBe('ran code');
  });
});
