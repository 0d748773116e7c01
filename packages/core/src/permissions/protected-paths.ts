import type { ResolvedPath } from './paths/resolve-path.ts';

/** Folders in which files make git, editors, agents or shells run something. */
const FOLDERS =
  /\/\.(?:git|hg|svn|husky|githooks|ssh|gnupg|aws|kube|docker|vscode|idea|cursor|devcontainer|direnv|config|robota|claude|codex|gemini|opencode|agents)(?:\/|$)/i;

/** Files that programs run or obey when they start, wherever they lie. */
const FILES = new RegExp(
  `/(?:${[
    String.raw`\.mcp\.json`,
    String.raw`\.envrc`,
    String.raw`\.npmrc`,
    String.raw`\.yarnrc[^/]*`,
    String.raw`\.pypirc`,
    String.raw`\.netrc`,
    String.raw`\.gitconfig|\.gitmodules|\.gitattributes`,
    String.raw`\.ripgreprc`,
    String.raw`\.tool-versions`,
    String.raw`\.pre-commit-config\.yaml`,
    String.raw`lefthook\.ya?ml|lefthook-local\.ya?ml`,
    String.raw`\.(?:bash|zsh|ksh|csh|tcsh)(?:rc|env|_profile|_login|_logout|_aliases)|\.profile|\.login|\.zprofile|\.zlogin|\.kshrc|\.xprofile|\.xinitrc`,
    String.raw`\.inputrc|\.vimrc|\.exrc|\.nvimrc|\.pythonrc(?:\.py)?|sitecustomize\.py|usercustomize\.py|[^/]*\.pth`,
    String.raw`AGENTS\.md|CLAUDE[^/]*\.md|GEMINI\.md`,
    String.raw`\.github/workflows/[^/]*`,
  ].join('|')})$`,
  'i',
);

/** Files that an automatic edit must not change: they make other programs run something, or widen what an agent may do. */
export function isProtected({ literal, real }: ResolvedPath): boolean {
  return [literal, real].some((name) => FOLDERS.test(name) || FILES.test(name));
}
