import { delimiter, isAbsolute } from 'node:path';

/**
 * The environment for system programs that we start ourselves. Relative PATH entries are dropped: they would let the
 * current project supply its own program.
 */
export function programEnvironment(): NodeJS.ProcessEnv {
  const folders = (process.env.PATH ?? '').split(delimiter).filter(isAbsolute);
  // An empty PATH means the current directory.
  const path = folders.length > 0 ? folders : ['/usr/bin', '/bin'];
  return { ...process.env, PATH: path.join(delimiter) };
}
