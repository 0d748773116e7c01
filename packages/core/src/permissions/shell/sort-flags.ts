/** The command with its one-letter options combined and sorted after the name: `rm -r x -f` is `rm -fr x`. */
export function sortFlags(words: readonly string[]): string {
  const [name = '', ...rest] = words;
  const flags = rest.filter((word) => SHORT_OPTIONS.test(word));
  if (flags.length === 0) return words.join(' ');
  const letters = [...new Set(flags.flatMap((flag) => [...flag.slice(1)]))].sort().join('');
  return [name, `-${letters}`, ...rest.filter((word) => !SHORT_OPTIONS.test(word))].join(' ');
}

const SHORT_OPTIONS = /^-[a-zA-Z]+$/;
