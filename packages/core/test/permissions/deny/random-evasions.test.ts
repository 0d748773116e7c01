import { evaluatePermission } from '@robota-sdk/agent-core';
import { describe, expect, it } from 'vitest';
import { Box } from '../read-only/box.ts';

const box = new Box();
const COMMANDS = 5_000;
const DENIED = `touch ${box.root}/pwned`;

type Wrap = (text: string) => string;

/** Each takes text that runs the denied command, and hides it one level deeper. */
const SUBSTITUTIONS: readonly Wrap[] = [
  (text) => `$(${text})`,
  (text) => `\`${text}\``,
  (text) => `<(${text})`,
  (text) => `>(${text})`,
  (text) => `$(\n${text}\n)`,
  (text) => `$(: # '\n${text})`,
  (text) => `$(case x in x) ${text};; esac)`,
  (text) => `$(: <<E\n)\nE\n${text})`,
  (text) => `$(: ')' ; ${text})`,
  (text) => `$(( $(${text}; echo 1) ))`,
  (text) => `\${x:-$(${text})}`,
  (text) => `\${x#$(${text})}`,
  (text) => `\${x//a/$(${text})}`,
  (text) => `\${x-a"$(${text})"b}`,
  (text) => `\${x-'}'$(${text})}`,
  (text) => `a;${text};`,
  (text) => `a\n${text}\n`,
  (text) => `a|${text}`,
  (text) => `a #\n${text}`,
];
const QUOTES: readonly Wrap[] = [
  (word) => `"${word}"`,
  (word) => `1${word}`,
  (word) => `{a}${word}`,
  (word) => `$'a\\''${word}`,
  (word) => `"\\""${word}`,
  (word) => `'"'${word}`,
  (word) => `\\\\${word}`,
  (word) => `{a,${word}}`,
  (word) => `a=${word}`,
  (word) => `@(a|${word})`,
  (word) => `"\${y-${word}}"`,
  (word) => `\${y-"${word}"}`,
  (word) => `"\${y-'${word}'}"`,
  (word) => `"\${y-$'${word}'}"`,
  (word) => `'${word}'`,
];
const PLACES: readonly Wrap[] = [
  (word) => `echo ${word}`,
  (word) => `x=${word}`,
  (word) => `x=${word} true`,
  (word) => `a=(${word})`,
  (word) => `a[0]=${word}`,
  (word) => `RANDOM=${word}`,
  (word) => `echo a >&${word}`,
  (word) => `echo a > /dev/null ${word}`,
  (word) => `cat <<< ${word}`,
  (word) => `cat <<E\n${word}\nE`,
  (word) => `cat <<E\n\${x-${word}}\nE`,
  (word) => `cat <<'E' ${word}\nx\nE`,
  (word) => `cat <<"E"\nE\necho ${word}`,
  (word) => `cat <<a"b"c\nx\nabc\necho ${word}`,
  (word) => `cat <<-E\n\t\tE\necho ${word}`,
  (word) => `[[ -n ${word} ]]`,
  (word) => `[[ a =~ ${word} ]]`,
  (word) => `case ${word} in *) ;; esac`,
  (word) => `case a in ${word}) ;; *) ;; esac`,
  (word) => `for i in ${word}; do :; done`,
  (word) => `f() { echo ${word}; }; f`,
  (word) => `coproc echo ${word}`,
  (word) => `echo a # '\necho ${word}`,
  (word) => `echo \${x#a} $((1<<2)) ${word}`,
  (word) => `(( 1<<2 )); echo ${word}`,
  (word) => `echo a{b ${word}`,
  (word) => `echo \`echo \\\`echo a\\\`\` ${word}`,
  (word) => `[[ ( a == b ) || -n ${word} ]]`,
];
const AROUND: readonly Wrap[] = [
  (text) => text,
  (text) => `true; ${text}`,
  (text) => `{ ${text}\n}`,
  (text) => `( ${text}\n)`,
  (text) => `if true; then ${text}\nfi`,
  (text) => `echo "$(${text}\n)"`,
  (text) => `${text}\n# end '`,
];

/** The same commands each time: a small linear congruential generator. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

function makeCommand(random: () => number): string {
  const pick = (list: readonly Wrap[]) =>
    list[Math.floor(random() * list.length)] ?? ((text) => text);
  let word = pick(SUBSTITUTIONS)(DENIED);
  for (let depth = Math.floor(random() * 3); depth > 0; depth--) word = pick(QUOTES)(word);
  return pick(AROUND)(pick(PLACES)(word));
}

describe('randomly hidden commands', () => {
  it('do not run under bypassPermissions where they are denied', () => {
    const random = randomFrom(Number(process.env.ROBOTA_TEST_SEED ?? 11));
    const lists = { cwd: box.project, deny: ['Bash(touch:*)'] };
    const commands = new Set(Array.from({ length: COMMANDS }, () => makeCommand(random)));

    const running = [...commands].filter(
      (command) =>
        evaluatePermission('Bash', { command }, 'bypassPermissions', lists) === 'auto' &&
        box.effectOf(`${command}\nwait`) === 'ran code',
    );

    expect(running).toEqual([]);
  }, 120_000);
});
