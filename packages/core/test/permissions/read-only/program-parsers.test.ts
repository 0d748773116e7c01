import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { explainPermission, readOnlyEnvironment } from '@robota-sdk/agent-core';
import { describe, expect, it } from 'vitest';
import { Box } from './box.ts';

const box = new Box();
const project = (name: string, text: string) => writeFileSync(path.join(box.project, name), text);
project('5', 'five\n');
project('words', `d ${box.root}/outside\n`);
project('slash.txt', '/\n');
box.settle();

/** Programs that read the same words or the same script in another way than the grammar might. */
const MISREAD: readonly string[] = [
  // Only the first letter of a word counts: 5 is the input, the next word is written.
  'xxd -ac 5 a.txt',
  'xxd -as 5 out',
  'xxd -al 5 out',
  'xxd -pc 5 a.txt',
  'xxd -bg 5 out',
  // The letters after a value letter are options of their own: `-o` writes.
  'tree -Io src out',
  'tree -Pl src olink',
  'tree -L2 src',
  // A file with further words, wherever it is named.
  'strings -t @words a.txt',
  'strings --radix @words a.txt',
  'strings -n 3 -t @words a.txt',
  'strings -at @words a.txt',
  // `length` without parentheses: a division for one awk, the start of an expression for another.
  `mawk '{ print length /"/; system("touch pwned"); y = length /"/ 1 }' a.txt`,
  `awk '{ print length /"/; system("touch pwned"); y = length /"/ 1 }' a.txt`,
  `mawk 'length /"/; END { system("touch pwned") } ; length /"/ 1' a.txt`,
  `gawk '{ x = bindtextdomain ("src"); print }' a.txt`,
  `gawk '{ x = extension ("./evil"); print }' a.txt`,
  // A class inside a set does not close it, so the slash after it does not end the expression.
  `awk '/[[:alpha:]/ && "]/;BEGIN{system("touch pwned")}#" {print}' a.txt`,
  `mawk '/[[:alpha:]/ && "]/;BEGIN{system("touch pwned")}#" {print}' a.txt`,
  `gawk '{ if (/[[:alpha:]/ && "]/) system("touch pwned") } #" ) print }' a.txt`,
  `awk '/[^]/ && "]/;BEGIN{system("touch pwned")}#" {print}' a.txt`,
  `awk '/[[.a.]/ && "]/;BEGIN{system("touch pwned")}#" {print}' a.txt`,
  `awk '/[[=a=]/ && "]/;BEGIN{system("touch pwned")}#" {print}' a.txt`,
  `awk '/[a[:digit:]/ && "]/;BEGIN{system("touch pwned")}#" {print}' a.txt`,
  `sed 's/[[.].]/A/;s,]/touch pwned;:/e#,C,' slash.txt`,
  `sed -n 's/[[=a=]/A/;s,]/X/w out#,C,p' a.txt`,
  `sed -n '/[[.].]/p;s,]/w out#,C,p' slash.txt`,
  // Words from a file instead of those that `find` prints.
  'find . -type f -name a.txt -print0 | xargs -0 cat < list0',
  'find . -type f -name a.txt -print0 | xargs -0 -n 1 head < list0',
  'find . -type f -name a.txt -print0 | xargs -0 cat <<< BOX/outside',
  'find . -type f -name a.txt -print0 | xargs -0 cat 0< list0',
  'find . -type f -print0 |& xargs -0 cat',
  'find . -type f -print0 2>&1 | xargs -0 cat',
  'find . -type f -print0 > /dev/null | xargs -0 cat',
  // A comment goes on after a backslash in newer versions.
  'jq -n \'#\\\n"\nenv,"#"\'',
  // Signatures are checked by starting a program.
  'git log --format=%G?',
  "git log --format='%h %GS'",
  'git log --pretty=format:%GG',
  "git log --format='%-G?'",
  'git show --format=%+GK',
  'git rev-list --pretty=%G? HEAD',
  "git for-each-ref --format='%(signature)'",
  "git for-each-ref --format='%(*signature:grade)'",
  'git for-each-ref --sort=signature',
  "git branch --format='%(signature:signer)'",
  "git tag --format='%(signature)'",
];

describe('programs that read their words in another way', () => {
  it.each(MISREAD)('ask: %j', (command) => {
    expect(box.attempt(command)).toBe('asks');
  });

  it.each([
    'xxd a.txt',
    'xxd -p a.txt',
    'xxd -c 8 -l 16 a.txt',
    'xxd -c8 -l16 a.txt',
    'tree -L 2 src',
    "tree -aL 2 -I 'node_modules' src",
    'strings -t x a.txt',
    'strings -n 3 a.txt',
    "awk '{ print length }' a.txt",
    "awk '{ print length($0) / 2 }' a.txt",
    "awk 'length > 3' a.txt",
    "awk '/^[[:alpha:]]+$/ {print $1}' a.txt",
    "awk '$1 ~ /[^x]x[a-z_-]*/' a.txt",
    "awk -F: '{ n = split($0, parts, /[ ,]/); print n }' a.txt",
    "sed 's/[[:space:]]*$//' a.txt",
    "sed 's/[^\\/]*$//' a.txt",
    "sed -n '/[a-z]/p' a.txt",
    "sed 's|[^/]*/||' a.txt",
    "sed -n '/[]]/p' a.txt",
    'find . -type f -print0 | xargs -0 wc -l',
    'find src -type f -print0 2>/dev/null | xargs -0 grep -n value 2>/dev/null',
    "jq '.name # the name' b.json",
    "jq '# first\n.name' b.json",
    'git log --oneline --format="%h %an %ad %s" --date=short',
    "git log --pretty=format:'%C(yellow)%h%Creset %<(20,trunc)%an %s%n%b%x09%d'",
    "git log --format='%(trailers:key=Signed-off-by)'",
    "git for-each-ref --sort=-committerdate --format='%(refname:short) %(committerdate:relative)%00'",
    "git branch --format='%(refname:short) %(upstream:track)'",
    'git tag --sort=-version:refname',
    'git branch --sort=-committerdate',
  ])('run when they are read the same: %j', (command) => {
    expect(box.attempt(command)).toBe('no effect');
  });
});

describe('the project is the root directory', () => {
  it.each([
    'cat < /dev/tcp/127.0.0.1/9',
    'cat < /dev/udp/127.0.0.1/9',
    "awk '{print}' /inet/tcp/0/127.0.0.1/9",
    'echo x > /dev/tcp/127.0.0.1/9',
    'echo x > /dev/sda',
    'echo x > /dev/mem',
  ])('asks before it opens a connection or a device: %j', (command) => {
    const { decision } = explainPermission('Bash', { command }, 'acceptEdits', { cwd: '/' });

    expect(decision).toBe('approve');
  });

  it('asks for a connection even where a rule allows the program', () => {
    const lists = { cwd: '/', allow: ['Bash(cat:*)', 'Bash(echo:*)'] };
    const commands = ['cat < /dev/tcp/127.0.0.1/9', 'echo x > /dev/tcp/127.0.0.1/9'];

    const decisions = commands.map(
      (command) => explainPermission('Bash', { command }, 'acceptEdits', lists).decision,
    );

    expect(decisions).toEqual(['approve', 'approve']);
  });
});

describe('the search path of commands without approval', () => {
  it('is never empty, which would mean the working directory', () => {
    const given = { PATH: `.:bin:${box.project}:` };

    expect(readOnlyEnvironment(given, [box.project]).PATH).toMatch(/^\/usr\//);
    expect(box.effectOf('ls', given)).toBe('no effect');
  });

  it('keeps folders outside the project', () => {
    const tools = path.join(box.root, 'tools');
    mkdirSync(tools);

    const { PATH } = readOnlyEnvironment({ PATH: `${tools}:${box.project}/bin` }, [box.project]);

    expect(PATH).toBe(tools);
    rmSync(tools, { recursive: true });
  });
});
