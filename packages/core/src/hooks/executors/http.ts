import type { HookAnswer, HookDefinition, HookTypeExecutor } from '../hook.ts';
import { BoundedText } from './bounded-text.ts';

const BODY_LIMIT_BYTES = 1024 * 1024;

type HttpHook = Extract<HookDefinition, { type: 'http' }>;
type Environment = Readonly<Record<string, string>>;

/** Posts the input as JSON; `{ "ok": false, "reason" }` blocks, any other 2xx body is read like stdout. */
export const httpHookExecutor: HookTypeExecutor = {
  type: 'http',
  async execute(definition, input, { env, signal }) {
    if (definition.type !== 'http') return failed('not an http hook');
    try {
      const response = await fetch(definition.url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...fillHeaders(definition, env) },
        body: JSON.stringify(input),
        redirect: 'error', // A redirect would carry the headers, and what they hold, to another place.
        signal,
      });
      const body = await readBody(response);
      if (!response.ok) return failed(`HTTP ${response.status} ${response.statusText}`.trim());
      return readVerdict(body);
    } catch (error) {
      return failed(signal.aborted ? String(signal.reason) : describe(error));
    }
  },
};

function fillHeaders(definition: HttpHook, env: Environment): Record<string, string> {
  const filled = Object.entries(definition.headers ?? {}).map(([name, value]) => [
    name,
    value.replaceAll(/\$(?:\{(\w+)\}|(\w+))/g, (_match, braced?: string, bare?: string) =>
      quote(braced ?? bare ?? '', name, { definition, env }),
    ),
  ]);
  return Object.fromEntries(filled);
}

/** Only listed variables may be sent: an unlisted one fails the request instead of being sent empty. */
function quote(
  variable: string,
  header: string,
  { definition, env }: { readonly definition: HttpHook; readonly env: Environment },
): string {
  const listed = definition.allowedEnvVars?.includes(variable) === true;
  const value = env[variable] ?? (listed ? process.env[variable] : undefined);
  if (value !== undefined) return value;
  throw new Error(
    listed
      ? `header ${header} needs the variable ${variable}, which is not set`
      : `header ${header} quotes ${variable}; name it in allowedEnvVars or in the group's env`,
  );
}

async function readBody(response: Response): Promise<string> {
  const text = new BoundedText(BODY_LIMIT_BYTES);
  if (response.body === null) return '';
  for await (const chunk of response.body) text.add(chunk as Uint8Array);
  return text.toString();
}

function readVerdict(body: string): HookAnswer {
  const verdict = parse(body);
  if (verdict?.ok !== false) return { exitCode: 0, stdout: body };
  const reason = typeof verdict.reason === 'string' ? verdict.reason : '';
  return { exitCode: 2, stderr: reason || 'Blocked by HTTP hook' };
}

function parse(body: string): { readonly ok?: unknown; readonly reason?: unknown } | undefined {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined; // Plain text is an answer too.
  }
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message;
}

function failed(stderr: string): HookAnswer {
  return { exitCode: 1, stderr };
}
