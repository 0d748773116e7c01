/** The base name of a program: any path to `rm` is `rm`. */
export function programOf(word: string): string {
  return word.slice(word.lastIndexOf('/') + 1);
}

const SYSTEM_DIRECTORIES = /^\/(?:usr\/(?:local\/)?)?s?bin\/|^\/opt\/homebrew\/bin\//;

/** For allow rules only system directories count: a script of the same name elsewhere is another program. */
export function trustedProgramOf(word: string): string {
  return SYSTEM_DIRECTORIES.test(word) && !word.includes('..') ? programOf(word) : word;
}
