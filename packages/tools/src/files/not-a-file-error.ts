/** A path that names a directory, a device or a pipe. */
export class NotAFileError extends Error {
  override readonly name = 'NotAFileError';
  readonly path: string;

  constructor(path: string) {
    super(`Path is not a file: ${path}`);
    this.path = path;
  }
}
