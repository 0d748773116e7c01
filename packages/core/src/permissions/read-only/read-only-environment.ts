import { delimiter, isAbsolute } from 'node:path';
import { realPath } from '../paths/resolve-path.ts';
import { withSlash } from '../paths/roots.ts';

/** Variables through which a shell or a program runs or reads something that was not checked. */
const UNWANTED =
  /^(?:BASH_ENV|ENV|BASH_FUNC_.*|CDPATH|RIPGREP_CONFIG_PATH|SHELLOPTS|BASHOPTS|PS4|PROMPT_COMMAND|GLOBIGNORE|POSIXLY_CORRECT|GREP_OPTIONS|AWKPATH|AWKLIBPATH|JQ_LIBRARY_PATH|LESSOPEN|LESSCLOSE)$/;

const SYSTEM_FOLDERS: readonly string[] = ['/usr/local/bin', '/usr/bin', '/bin'];

/** The environment for a command without approval: programs come only from outside the project. */
export function readOnlyEnvironment(
  environment: Readonly<Record<string, string | undefined>>,
  roots: readonly string[],
): Record<string, string | undefined> {
  const kept = Object.entries(environment).filter(([name]) => !UNWANTED.test(name));
  // When the project is the root directory, there is no outside.
  const inside = roots.flatMap((root) => [root, realPath(root)]).filter((root) => root !== '/');
  const folders = (environment.PATH ?? '').split(delimiter).filter((folder) => {
    if (!isAbsolute(folder)) return false;
    const places = [folder, realPath(folder)];
    return !places.some((place) =>
      inside.some((root) => withSlash(place).startsWith(withSlash(root))),
    );
  });
  // An empty path would mean the working directory.
  const found = folders.length === 0 ? SYSTEM_FOLDERS : folders;
  return { ...Object.fromEntries(kept), PATH: found.join(delimiter) };
}
