/** The program's own name: any path to `rm` is `rm`. */
export function programOf(word: string): string {
  return word.slice(word.lastIndexOf('/') + 1);
}

const SYSTEM_DIRECTORIES = /^\/(?:usr\/(?:local\/)?)?s?bin\/|^\/opt\/homebrew\/bin\//;

/** For allowing, only the system's own directories count: a script of the same name elsewhere is another program. */
export function trustedProgramOf(word: string): string {
  return SYSTEM_DIRECTORIES.test(word) && !word.includes('..') ? programOf(word) : word;
}
