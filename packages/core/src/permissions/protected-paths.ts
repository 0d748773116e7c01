import type { ResolvedPath } from './paths/resolve-path.ts';

/** Folders whose files make git, editors, agents or shells run programs. */
const FOLDERS =
  /\/\.(?:git|hg|svn|husky|githooks|ssh|gnupg|aws|kube|docker|vscode|idea|cursor|devcontainer|direnv|config|robota|claude|codex|gemini|opencode|agents)(?:\/|$)/i;

/** Files that programs execute or read at start-up, in any folder. */
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

/**
 * Files that an automatic edit must not change: they make other programs run code, or extend an agent's permissions.
 */
export function isProtected({ literal, real }: ResolvedPath): boolean {
  return [literal, real].some((name) => FOLDERS.test(name) || FILES.test(name));
}
