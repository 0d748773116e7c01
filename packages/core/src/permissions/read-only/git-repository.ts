import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { remember } from '../bounded-cache.ts';
import { noteFact } from '../paths/disk-facts.ts';
import { entryStatus, pathExists, stampOf } from '../paths/file-status.ts';
import { realPath } from '../paths/resolve-path.ts';
import { refuse } from './refusal.ts';

/** Refuses a repository whose own settings could start a program. Without a repository nothing is refused. */
export function checkRepository(directory: string): 'repository' | 'none' {
  const place = findRepository(directory);
  if (place === undefined) return 'none';
  const isHere = (tree: string) => path.resolve(place.own, tree) === place.tree;
  for (const file of ['config', 'config.worktree'])
    checkConfig(path.join(place.common, file), isHere);
  if (place.own !== place.common) checkConfig(path.join(place.own, 'config.worktree'), isHere);
  checkSubmodules(path.join(place.common, 'modules'));
  return 'repository';
}

interface RepositoryPlace {
  /** The directory with the files. */
  readonly tree: string;
  /** The `.git` directory of this working tree. */
  readonly own: string;
  /** The one that it shares with other working trees. */
  readonly common: string;
}

function findRepository(directory: string): RepositoryPlace | undefined {
  for (let here = realPath(directory); ; here = path.dirname(here)) {
    const entry = path.join(here, '.git');
    const status = pathExists(entry) ? entryStatus(entry) : undefined;
    if (status?.isDirectory() === true) return { tree: here, own: entry, common: commonOf(entry) };
    if (status?.isFile() === true) return linkedPlace(here, entry);
    if (status !== undefined) return refuse('.git is a link');
    if (['HEAD', 'objects', 'refs'].every((name) => pathExists(path.join(here, name))))
      return refuse('a repository without a working tree is embedded here');
    if (path.dirname(here) === here) return undefined;
  }
}

/** `.git` as a file names the directory of a working tree or a submodule. */
function linkedPlace(here: string, entry: string): RepositoryPlace {
  const [, target] = /^gitdir: (.+)\n?$/.exec(readText(entry) ?? '') ?? [];
  if (target === undefined) return refuse('.git cannot be understood');
  const own = path.resolve(here, target);
  return { tree: here, own, common: commonOf(own) };
}

function commonOf(own: string): string {
  const shared = readText(path.join(own, 'commondir'));
  return shared === undefined ? own : path.resolve(own, shared.trim());
}

/** Submodules name their working tree; a repository that names another one would show files from there. */
function checkConfig(file: string, isTree: (tree: string) => boolean): void {
  if (!pathExists(file)) return;
  const written = readText(file) ?? refuse('the settings of the repository are no plain file');
  const text = written.replaceAll(/^\s*worktree = (.*)$/gm, (line, tree: string) =>
    isTree(tree) ? '' : line,
  );
  const strange = strangeSetting(text);
  if (strange !== '') refuse(`the repository sets ${strange}`);
}

const MOST_BYTES = 1_000_000;
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

/** Texts of small files that have not changed since they were read last. */
const kept = new Map<string, { readonly stamp: string; readonly text: string }>();
const MOST_KEPT = 64;

function readText(file: string): string | undefined {
  const status = entryStatus(file);
  if (status === undefined || !status.isFile() || status.size > MOST_BYTES) return undefined;
  const stamp = stampOf(status);
  const known = kept.get(file);
  if (known?.stamp === stamp) return known.text;
  try {
    const text = readFileSync(file, 'utf8');
    if (kept.size >= MOST_KEPT) kept.clear();
    kept.set(file, { stamp, text });
    return text;
  } catch {
    return undefined; // Not readable by us: git, run by us, cannot read it either.
  }
}
