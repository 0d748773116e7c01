import { errorSchema } from '../protocol.ts';

/** What the server refused, with the code it gave. */
export class RemoteError extends Error {
  override readonly name = 'RemoteError';
  readonly code: string;
  /** The HTTP status, where there was one. */
  readonly status: number | undefined;

  constructor(code: string, message: string, status?: number) {
    super(message);
    this.code = code;
    this.status = status;
  }
}

/** The error of a response that was not ok. */
export async function errorOf(response: {
  readonly status: number;
  json(): Promise<unknown>;
}): Promise<RemoteError> {
  const body = errorSchema.safeParse(await response.json().catch(() => undefined));
  if (!body.success) {
    return new RemoteError(
      'http_error',
      `The server answered ${response.status}.`,
      response.status,
    );
  }
  const { code, message } = body.data.error;
  return new RemoteError(code, message, response.status);
}
