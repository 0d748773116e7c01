import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import type { DeclarationTable } from '../../../src/permissions/read-only/declaration.ts';
import { gitDeclarations } from '../../../src/permissions/read-only/git-table.ts';
import { programDeclarations } from '../../../src/permissions/read-only/program-table.ts';
import { knownKinds } from '../../../src/permissions/read-only/value-kinds.ts';

/** Programs whose `--help` lists options in the GNU way. */
const DESCRIBED =
  'cat head tail wc ls grep sort uniq cut tr diff cmp comm paste nl tac fold od stat du df md5sum realpath readlink basename base64 date seq timeout nice stdbuf sed'.split(
    ' ',
  );

describe('the declaration tables', () => {
  it.each([
    ['programs', programDeclarations()],
    ['git', gitDeclarations()],
  ])('use only known kinds: %s', (_name, table: DeclarationTable) => {
    const used = [...table.values()].flatMap(({ letters, longs, positionals }) => [
      ...[...letters.values()].map((value) => value.kind),
      ...[...longs.values()].flatMap((value) => (value === null ? [] : [value.kind])),
      ...positionals.map((each) => each.kind),
    ]);

    expect(used.filter((kind) => !knownKinds().has(kind))).toEqual([]);
  });

  it.each(DESCRIBED)('declare long options as the program documents them: %s', (name) => {
    const help = helpOf(name);
    const longs = [...(programDeclarations().get(name)?.longs ?? [])];
    const wrong = longs.filter(([option, value]) => {
      const declared = value?.joined === true ? 'joined' : 'yes';
      return ![undefined, value === null ? 'no' : declared].includes(takesValue(help, option));
    });

    expect(wrong).toEqual([]);
  });

  it.each(DESCRIBED)('declare one-letter options as the program documents them: %s', (name) => {
    const help = helpOf(name);
    const declaration = programDeclarations().get(name);
    const wrong = [
      ...[...(declaration?.flags ?? [])].filter((letter) => letterTakes(help, letter) === 'yes'),
      ...[...(declaration?.letters ?? [])]
        .filter(([letter, value]) => !value.joined && letterTakes(help, letter) === 'no')
        .map(([letter]) => letter),
    ];

    expect(wrong).toEqual([]);
  });
});

function helpOf(name: string): string {
  const { stdout } = spawnSync(name, ['--help'], {
    encoding: 'utf8',
    env: { ...process.env, LC_ALL: 'C' },
  });
  return stdout;
}

/** What `--help` says about a long option; undefined when it does not list it. */
function takesValue(help: string, option: string): 'yes' | 'no' | 'joined' | undefined {
  const listed = new RegExp(`^ +(?:-\\w, +)*--${option}(.*)$`, 'm').exec(help)?.[1];
  if (listed === undefined || /^[\w-]/.test(listed)) return undefined;
  if (listed.startsWith('[=') || listed.startsWith(`, --${option}=`)) return 'joined';
  return listed.startsWith('=') ? 'yes' : 'no';
}

/** `-n, --lines=NUM` takes a value; `-q, --quiet` takes none. */
function letterTakes(help: string, letter: string): 'yes' | 'no' | undefined {
  const escaped = letter.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const line = new RegExp(
    `^ {1,6}-${escaped}, (?:-\\w, )?--[\\w-]+(\\[=|=(?=[A-Z<])|=)?`,
    'm',
  ).exec(help);
  if (line === null) return undefined;
  if (line[1] === undefined) return 'no';
  const named = /=(?=[A-Z<])/.test(line.input.slice(line.index, line.index + line[0].length + 1));
  return line[1] === '=' && named ? 'yes' : undefined;
}
