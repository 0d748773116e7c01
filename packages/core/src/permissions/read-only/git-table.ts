import { type DeclarationTable, readDeclarations } from './declaration.ts';

/** Git's read-only subcommands, in the notation of the program table. */
const SUBCOMMANDS = `
DIFF := -NUM -pusRawbWz -U=num -M?=num -C?=num -S=pat -G=pat -D -B?=text --patch --no-patch --unified=num --raw --stat?=text --numstat --shortstat --dirstat?=text --summary --name-only --name-status --color?=word --no-color --color-words?=pat --word-diff?=word --find-renames?=num --find-copies?=num --no-renames --diff-filter=word --pickaxe-all --pickaxe-regex --relative --text --ignore-space-at-eol --ignore-space-change --ignore-all-space --ignore-blank-lines --function-context --exit-code --quiet --no-ext-diff --no-textconv --minimal --patience --histogram --diff-algorithm=word --abbrev?=num --full-index --binary --compact-summary --check --inter-hunk-context=num --src-prefix=text --dst-prefix=text --no-prefix
LOG := -n=num -i -E -F -P -g -c -m --oneline --graph --decorate?=word --no-decorate --all --branches?=glob --tags?=glob --remotes?=glob --max-count=num --skip=num --since=text --after=text --until=text --before=text --author=pat --committer=pat --grep=pat --all-match --invert-grep --regexp-ignore-case --extended-regexp --fixed-strings --merges --no-merges --first-parent --follow --full-history --simplify-merges --reverse --date-order --author-date-order --topo-order --date=text --relative-date --format=logformat --pretty?=logformat --abbrev-commit --no-abbrev-commit --parents --children --left-right --cherry-pick --cherry-mark --cherry --walk-reflogs --source --show-pulls --no-notes --log-size --left-only --right-only --boundary --cc --no-walk --decorate-refs=glob -L=lines
status    PERMUTES -sbvz -u?=word --short --branch --porcelain?=word --long --verbose --untracked-files?=word --ignored?=word --no-renames --null --show-stash --ahead-behind --no-ahead-behind --column?=text :: pathspec*
log       PERMUTES DIFF LOG :: revpath*
show      PERMUTES DIFF LOG :: revpath*
diff      PERMUTES DIFF --cached --staged --merge-base --ours --theirs --base :: revpath*
whatchanged = log
shortlog  PERMUTES -nse -w?=text --numbered --summary --email --no-merges --since=text --until=text --group=word :: rev*
blame     PERMUTES -lstfnewpcM -L=lines -C?=num --porcelain --line-porcelain --show-email --show-name --show-number --date=word --abbrev=num --reverse --since=text :: revpath*
rev-parse PERMUTES --abbrev-ref?=word --short?=num --verify --quiet -q --show-toplevel --show-prefix --show-cdup --git-dir --absolute-git-dir --git-common-dir --is-inside-work-tree --is-inside-git-dir --is-bare-repository --is-shallow-repository --symbolic-full-name --symbolic --branches --tags --remotes --all --show-superproject-working-tree --show-object-format :: rev*
ls-files  PERMUTES -cdmoiktuszv -x=glob --cached --deleted --modified --others --ignored --stage --unmerged --killed --exclude=glob --exclude-standard --directory --no-empty-directory --error-unmatch --full-name --abbrev --eol --deduplicate :: pathspec*
ls-tree   PERMUTES -drtlz --name-only --name-status --long --full-name --full-tree --abbrev --object-only :: rev pathspec*
cat-file  PERMUTES -tsep :: rev rev?
rev-list  PERMUTES -n=num --count --all --max-count=num --skip=num --since=text --until=text --before=text --after=text --author=pat --grep=pat --merges --no-merges --first-parent --reverse --left-right --objects --parents --branches?=glob --tags?=glob --remotes?=glob --abbrev-commit --oneline --pretty?=logformat --max-parents=num --min-parents=num --date-order --topo-order :: revpath*
describe  PERMUTES --all --tags --long --always --dirty?=text --abbrev=num --match=glob --exclude=glob --exact-match --first-parent --contains --candidates=num :: rev*
merge-base PERMUTES -a --all --is-ancestor --fork-point --octopus --independent :: rev*
name-rev  PERMUTES --tags --name-only --always --refs=glob :: rev*
count-objects PERMUTES -vH --verbose --human-readable ::
for-each-ref PERMUTES --count=num --sort=sortkey --format=refformat --points-at=rev --merged?=rev --no-merged?=rev --contains?=rev --no-contains?=rev --ignore-case --exclude=glob :: glob*
show-ref  PERMUTES -dqs --heads --tags --branches --verify --quiet --hash?=num --abbrev?=num --head :: glob*
show-branch PERMUTES -a --all --current --sha1-name --no-name :: rev*
grep      PERMUTES -NUM -aiIwvhHEGPFnlLzcopqW -A=num -B=num -C=num -e=pat -m=num --text --ignore-case --word-regexp --invert-match --full-name --extended-regexp --basic-regexp --perl-regexp --fixed-strings --line-number --column --files-with-matches --name-only --files-without-match --count --only-matching --show-function --function-context --break --heading --and --or --not --all-match --quiet --max-depth=num --max-count=num --after-context=num --before-context=num --context=num --color?=word --no-color --cached --untracked --exclude-standard --no-exclude-standard --null :: pat(-e) revpath*
check-ignore PERMUTES -qvnz --quiet --verbose --non-matching :: pathspec+
check-attr PERMUTES -az --all --cached :: attribute*
branch    PERMUTES -arvl --all --remotes --list --show-current --verbose --merged?=rev --no-merged?=rev --contains?=rev --no-contains?=rev --sort=sortkey --format=refformat --color?=word --no-color --column?=text --abbrev=num --ignore-case --points-at=rev :: glob*
tag       PERMUTES -l -n?=num --list --sort=sortkey --format=refformat --merged?=rev --no-merged?=rev --contains?=rev --points-at=rev --column?=text --color?=word :: glob*
remote    PERMUTES -v --verbose :: word*
stash     PERMUTES -p -n=num --stat --name-only --name-status --oneline :: rev*
config    PERMUTES --get --get-all :: word*
reflog    PERMUTES -NUM -n=num --oneline --all --date=word --format=logformat --pretty?=logformat :: rev*
worktree  PERMUTES -v --porcelain :: word
diff-tree PERMUTES -rtvmcz --root --no-commit-id --name-only --name-status --stat?=text --patch -p --abbrev?=num --cc --numstat --no-ext-diff --no-textconv --diff-filter=word -M?=num :: revpath*
diff-index PERMUTES -rz --cached --name-only --name-status --quiet --stat?=text --numstat --diff-filter=word --no-ext-diff :: revpath*
diff-files PERMUTES -z --name-only --name-status --quiet --stat?=text --numstat --diff-filter=word --no-ext-diff :: pathspec*
cherry    PERMUTES -v --abbrev=num :: rev*
version   PERMUTES --build-options ::
`;

let read: DeclarationTable | undefined;

/** Parsed with the first git command. */
export function gitDeclarations(): DeclarationTable {
  read ??= readDeclarations(SUBCOMMANDS);
  return read;
}
