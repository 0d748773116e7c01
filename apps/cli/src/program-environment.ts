import { delimiter, isAbsolute } from 'node:path';

/**
 * The environment for programs of the machine that we start by ourselves. Relative folders of PATH are left out: they
 * would let the project that somebody stands in bring its own.
 */
export function programEnvironment(): NodeJS.ProcessEnv {
  const folders = (process.env.PATH ?? '').split(delimiter).filter(isAbsolute);
  // An empty PATH means the current directory.
  const path = folders.length > 0 ? folders : ['/usr/bin', '/bin'];
  return { ...process.env, PATH: path.join(delimiter) };
}
