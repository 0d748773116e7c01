import { readdirSync } from 'node:fs';
import path from 'node:path';
import { memoize } from '../memoize.ts';
import { recordUncacheable } from '../paths/disk-facts.ts';
import { entryStatus, pathExists } from '../paths/file-status.ts';
import { checkPlace, findRepositoryPlace, readText } from './git-place.ts';
import { refuse } from './refusal.ts';

/**
 * Refuses a repository whose settings could start a program, or whose files lie elsewhere. Without a repository nothing
 * is refused. `mayRead` says which paths belong to the project: only those may have been tampered with.
 */
export function checkRepository(
  directory: string,
  mayRead: (absolute: string) => boolean,
): 'repository' | 'none' {
  const place = findRepositoryPlace(directory);
  if (place === undefined) return 'none';
  checkPlace(place, mayRead);
  const isHere = (workTree: string) =>
    path.resolve(place.gitDirectory, workTree) === place.workTree;
  for (const file of ['config', 'config.worktree'])
    checkConfig(path.join(place.commonDirectory, file), isHere);
  if (place.gitDirectory !== place.commonDirectory)
    checkConfig(path.join(place.gitDirectory, 'config.worktree'), isHere);
  checkSubmodules(path.join(place.commonDirectory, 'modules'));
  return 'repository';
}

/** A submodule names its working tree; a repository that names another tree would show files from there. */
function checkConfig(file: string, isTree: (workTree: string) => boolean): void {
  if (entryStatus(file) === undefined) return;
  const written = readText(file) ?? refuse('the settings of the repository are no plain file');
  const text = written.replaceAll(/^\s*worktree = (.*)$/gm, (line, workTree: string) =>
    isTree(workTree) ? '' : line,
  );
  const unknown = unknownSetting(text);
  if (unknown !== '') refuse(`the repository sets ${unknown}`);
}

const MAX_MODULES = 2_000;

function checkSubmodules(modules: string): void {
  if (!pathExists(modules)) return;
  const entries = readdirSync(modules, { recursive: true, encoding: 'utf8' });
  recordUncacheable(modules);
  if (entries.length > MAX_MODULES * 50)
    refuse('the repository has too many submodules to look at');
  for (const entry of entries) {
    if (/^config(?:\.worktree)?$/.test(path.basename(entry)))
      checkConfig(path.join(modules, entry), () => true);
  }
}

/** Settings that name no program, file or other config. */
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

/** The first setting that is not known to be safe; empty when all are. */
const unknownSetting = memoize(64, (config: string): string => {
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
