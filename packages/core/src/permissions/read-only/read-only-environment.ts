import { delimiter, isAbsolute } from 'node:path';
import { realPath } from '../paths/resolve-path.ts';
import { withSlash } from '../paths/roots.ts';

/** Variables through which a shell or a program runs or reads something that was not judged. */
const UNWANTED =
  /^(?:BASH_ENV|ENV|BASH_FUNC_.*|CDPATH|RIPGREP_CONFIG_PATH|SHELLOPTS|BASHOPTS|PS4|PROMPT_COMMAND|GLOBIGNORE|POSIXLY_CORRECT|GREP_OPTIONS|AWKPATH|AWKLIBPATH|JQ_LIBRARY_PATH|LESSOPEN|LESSCLOSE)$/;

/** The environment for a command that nobody approved: programs come from outside the project only. */
export function readOnlyEnvironment(
  environment: Readonly<Record<string, string | undefined>>,
  roots: readonly string[],
): Record<string, string | undefined> {
  const kept = Object.entries(environment).filter(([name]) => !UNWANTED.test(name));
  // Where the whole system is the project, there is no outside to take programs from.
  const inside = roots.flatMap((root) => [root, realPath(root)]).filter((root) => root !== '/');
  const folders = (environment.PATH ?? '').split(delimiter).filter((folder) => {
    if (!isAbsolute(folder)) return false;
    const places = [folder, realPath(folder)];
    return !places.some((place) =>
      inside.some((root) => withSlash(place).startsWith(withSlash(root))),
    );
  });
  return { ...Object.fromEntries(kept), PATH: folders.join(delimiter) };
}
