/** Variables that affect the shell, the loader, git and common interpreters. */
const STEERING =
  /^(?:PATH|IFS|ENV|HOME|CDPATH|PWD|OLDPWD|TMPDIR|SHELL|PS\d|GLOBIGNORE|POSIXLY_CORRECT|BASH.*|SHELLOPTS|LD_.*|DYLD_.*|GIT_.*|SSH_.*|NODE_.*|PYTHON.*|PERL.*|RUBY.*|JAVA_.*|npm_.*|.*_proxy|.*PAGER|.*EDITOR|VISUAL|.*COMMAND|BROWSER|LESS.*|_|EUID|UID|PPID|SECONDS|RANDOM|LINENO|OPTIND|OPTARG|DIRSTACK|FUNCNAME|GROUPS|HOSTNAME|HOSTTYPE|MACHTYPE|OSTYPE|SHLVL|LC_.*|LANG|TZ|TERM|COLUMNS|LINES|r\d+)$/i;

/** Whether programs may read a variable that a command sets: it is already exported, or has a known meaning. */
export function steersPrograms(
  name: string,
  environment: Readonly<Record<string, string | undefined>>,
): boolean {
  return environment[name] !== undefined || STEERING.test(name);
}
