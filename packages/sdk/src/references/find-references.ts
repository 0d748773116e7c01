/** A place in a prompt where a file is named: `@src/main.ts`, `@"with blanks.md"`. */
export interface FileMention {
  /** As it was typed, without the `@`. */
  readonly path: string;
}

const TOKEN = /(?<=^|[\s([{])@(?:"([^"\n]+)"|([^\s"'`<>|()[\]{}]+))/g;

/** Every file a prompt may mean, each once. Whether there is such a file is for the reader to see. */
export function findMentions(prompt: string): FileMention[] {
  const paths = [...prompt.matchAll(TOKEN)].map(
    ([, quoted, plain]) => quoted ?? plain?.replace(/[.,;:!?]+$/, '') ?? '',
  );
  return [...new Set(paths)].filter((path) => path !== '').map((path) => ({ path }));
}
