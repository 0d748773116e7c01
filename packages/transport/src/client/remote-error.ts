/** An error reported by the server. */
export class RemoteError extends Error {
  override readonly name = 'RemoteError';
  readonly code: string;
  /** The HTTP status, if any. */
  readonly status: number | undefined;

  constructor(code: string, message: string, status?: number) {
    super(message);
    this.code = code;
    this.status = status;
  }
}

/** Converts a response that was not ok. */
export async function errorOf(response: {
  readonly status: number;
  json(): Promise<unknown>;
}): Promise<RemoteError> {
  const error = errorIn(await response.json().catch(() => undefined));
  if (error) return new RemoteError(error.code, error.message, response.status);
  const message = `The server answered ${response.status}.`;
  return new RemoteError('http_error', message, response.status);
}

/** Read defensively: a proxy in between may answer anything. */
function errorIn(body: unknown): { readonly code: string; readonly message: string } | undefined {
  const { error } = (body ?? {}) as { readonly error?: { code?: unknown; message?: unknown } };
  const { code, message } = error ?? {};
  return typeof code === 'string' && typeof message === 'string' ? { code, message } : undefined;
}
