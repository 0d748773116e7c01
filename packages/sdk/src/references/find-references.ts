/** A file mentioned in a prompt: `@src/main.ts`, `@"with spaces.md"`. */
export interface FileMention {
  /** As it was typed, without the `@`. */
  readonly path: string;
}

const TOKEN = /(?<=^|[\s([{])@(?:"([^"\n]+)"|([^\s"'`<>|()[\]{}]+))/g;

/** The distinct paths a prompt may mention; the files need not exist. */
export function findMentions(prompt: string): FileMention[] {
  const paths = [...prompt.matchAll(TOKEN)].map(
    ([, quoted, plain]) => quoted ?? plain?.replace(/[.,;:!?]+$/, '') ?? '',
  );
  return [...new Set(paths)].filter((path) => path !== '').map((path) => ({ path }));
}
