import { describe, expect, it } from 'vitest';
import { Box } from './box.ts';

const box = new Box();
const COMMANDS = 1_500;

/** Fragments combined in ways that no list of attacks contains. */
const PROGRAMS =
  "cat|head -n 2|tail -c5|wc -l|ls -la|grep one|grep -rn o|sort|sort -k|uniq|cut -d: -f1|sed -n|sed -n 1p|sed s/o/x/|awk|awk '{print}'|find . -type f|find|xargs -0|jq .|diff|stat|file|strings|git diff|git log -1|git show|git status|echo|printf|test -f|[ -f|cd|cd src|bash -c|timeout 5|env|nice|command|od -c|tr a b|base64|paste|comm|cmp|nl|tac|rev|fold|column|basename|realpath|readlink|du -a|set -e|exit|true|:|time|!".split(
    '|',
  );
const WORDS =
  "a.txt|b.json|src/b.ts|flink|olink/f|../outside|BOX/outside|*|*.txt|fl*|o*/f|src/*|.|..|src|slink|olink|-|--|-e|-f|-o out|-i|-r|-R|-L|-c|-n 1|-exec|{}|+|';'|-print0|-delete|-name '*.txt'|'1e touch BOX/pwned'|'w out'|'BEGIN{system(\"touch BOX/pwned\")}'|'{print > \"out\"}'|\"$(cat list)\"|$(cat list)|`cat list`|$HOME|$PWD|$PWD/|$x|\"$x\"|$((1+1))|'a[$(touch BOX/pwned)]'|$?|{a.txt,flink}|{1..3}|~|~/x|@list|list|list0|--output=out|--files0-from=list0|--compress-program=./evil|./evil|./ls|]|HEAD|HEAD:a.txt|--no-index|--ext-diff|-x=1|'touch BOX/pwned'|\"touch BOX/pwned\"|version|--version|\\|;|'|\"|(|)|{|}|!|#".split(
    '|',
  );
const JOINTS = [
  ' | ',
  ' && ',
  ' || ',
  '; ',
  '\n',
  ' |& ',
  ' & ',
  ' > ',
  ' < ',
  ' 2>&1 | ',
  ' <<< ',
  ' && cd src && ',
  '; x=flink; ',
  '; for x in a.txt flink; do ',
  '; done; ',
  '; if ',
  '; then ',
  '; fi ',
  ' $(',
  ') ',
  ' "$(',
  ')" ',
  ' `',
  ' <(',
  ' >> ',
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
  const pick = (list: readonly string[]) => list[Math.floor(random() * list.length)] ?? '';
  const simple = () => {
    const words = Array.from({ length: Math.floor(random() * 4) }, () => pick(WORDS));
    return [pick(PROGRAMS), ...words].join(' ');
  };
  const others = Array.from({ length: Math.floor(random() * 3) }, () => pick(JOINTS) + simple());
  return simple() + others.join('');
}

describe('randomly generated commands', () => {
  it('have no effect when they run without approval', () => {
    const random = randomFrom(Number(process.env.ROBOTA_TEST_SEED ?? 7));
    const commands = Array.from({ length: COMMANDS }, () => makeCommand(random));

    const harmful = commands.filter(
      (command) => !['asks', 'no effect'].includes(box.attempt(command)),
    );

    expect(harmful).toEqual([]);
  }, 120_000);
});
