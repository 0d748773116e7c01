import { readdirSync } from 'node:fs';
import path from 'node:path';
import { remember } from '../bounded-cache.ts';
import { noteFact } from '../paths/disk-facts.ts';
import { entryStatus, pathExists } from '../paths/file-status.ts';
import { checkPlace, findRepository, readText } from './git-place.ts';
import { refuse } from './refusal.ts';

/**
 * Refuses a repository whose own settings could start a program, or that lies elsewhere than it seems to. Without a
 * repository nothing is refused. `mayRead` tells what lies in the project: only that may have been prepared.
 */
export function checkRepository(
  directory: string,
  mayRead: (absolute: string) => boolean,
): 'repository' | 'none' {
  const place = findRepository(directory);
  if (place === undefined) return 'none';
  checkPlace(place, mayRead);
  const isHere = (tree: string) => path.resolve(place.own, tree) === place.tree;
  for (const file of ['config', 'config.worktree'])
    checkConfig(path.join(place.common, file), isHere);
  if (place.own !== place.common) checkConfig(path.join(place.own, 'config.worktree'), isHere);
  checkSubmodules(path.join(place.common, 'modules'));
  return 'repository';
}

/** Submodules name their working tree; a repository that names another one would show files from there. */
function checkConfig(file: string, isTree: (tree: string) => boolean): void {
  if (entryStatus(file) === undefined) return;
  const written = readText(file) ?? refuse('the settings of the repository are no plain file');
  const text = written.replaceAll(/^\s*worktree = (.*)$/gm, (line, tree: string) =>
    isTree(tree) ? '' : line,
  );
  const strange = strangeSetting(text);
  if (strange !== '') refuse(`the repository sets ${strange}`);
}

const MOST_MODULES = 2_000;

function checkSubmodules(modules: string): void {
  if (!pathExists(modules)) return;
  const entries = readdirSync(modules, { recursive: true, encoding: 'utf8' });
  // A list of names is not looked up again like a single file: such a judgement is never used twice.
  noteFact('list', { learn: String, path: modules, learned: '' });
  if (entries.length > MOST_MODULES * 50)
    refuse('the repository has too many submodules to look at');
  for (const entry of entries) {
    if (/^config(?:\.worktree)?$/.test(path.basename(entry)))
      checkConfig(path.join(modules, entry), () => true);
  }
}

/** Keys that say how git behaves and name no program, file or other settings. */
const PLAIN_KEYS: readonly RegExp[] = [
  /^core\.(?:repositoryformatversion|filemode|bare|logallrefupdates|ignorecase|precomposeunicode|symlinks|autocrlf|eol|safecrlf|abbrev|quotepath|compression|longpaths|protecthfs|protectntfs|untrackedcache|splitindex|commitgraph|multipackindex|sharedrepository)$/,
  /^remote\.[^\n]*\.(?:url|pushurl|fetch|push|tagopt|prune|mirror|gh-resolved|skipdefaultupdate)$/,
  /^branch\.[^\n]*\.(?:remote|merge|rebase|pushremote|description|vscode-merge-base|github-pr-owner-number|gk-[\w-]+)$/,
  /^(?:user|author|committer)\.(?:name|email|signingkey)$/,
  /^(?:init|pull|push|fetch|rebase|merge|status|color|column|log|gc|pack|index|feature|advice|commit|tag|rerere|help|maintenance)\.(?:defaultbranch|rebase|ff|default|autosetupremote|followtags|prune|prunetags|autostash|conflictstyle|showuntrackedfiles|short|branch|ui|auto|decorate|date|threads|version|manyfiles|verbose|sort|gpgsign|enabled|active|\w*hint\w*|autocorrect|repo)$/,
  /^submodule\.[^\n]*\.(?:url|active|branch)$/,
  /^lfs\.(?:repositoryformatversion|[^\n]*\.access|[^\n]*\.locksverify)$/,
  /^extensions\.(?:objectformat|worktreeconfig|refstorage)$/,
];

/** The first setting that is not known to be plain; empty when all are. */
const strangeSetting = remember(64, (config: string): string => {
  let section = '';
  for (const raw of config.split('\n')) {
    let line = raw.trim();
    const header = /^\[\s*([\w.-]+)(?:\s+"((?:[^"\\]|\\.)*)")?\s*\]\s*(.*)$/.exec(line);
    if (header !== null) {
      const [, name = '', inner, rest = ''] = header;
      section = name.toLowerCase() + (inner === undefined ? '' : `.${inner}`);
      line = rest;
    }
    if (line === '' || /^[#;]/.test(line)) continue;
    const key = /^([A-Za-z][\w-]*)\s*(?:=|$)/.exec(line)?.[1];
    if (key === undefined || line.endsWith('\\')) return `“${line.slice(0, 30)}”`;
    const full = `${section}.${key.toLowerCase()}`;
    if (!PLAIN_KEYS.some((known) => known.test(full))) return full;
  }
  return '';
});
