export type Environment = Readonly<Record<string, string | undefined>>;

/** The proxy configured for `target`; `undefined` for a direct connection. */
export function proxyFor(target: URL, environment: Environment): URL | undefined {
  const configured = configuredProxy(target, environment);
  if (!configured || isExempt(target, read(environment, 'no_proxy'))) return undefined;
  return parseProxy(configured);
}

function configuredProxy(target: URL, environment: Environment): string | undefined {
  const own = target.protocol === 'https:' ? 'https_proxy' : 'http_proxy';
  return read(environment, own) ?? read(environment, 'all_proxy');
}

function read(environment: Environment, name: string): string | undefined {
  return environment[name] || environment[name.toUpperCase()] || undefined;
}

function parseProxy(text: string): URL {
  try {
    return new URL(text.includes('://') ? text : `http://${text}`);
  } catch (error) {
    throw new Error('The proxy in HTTP_PROXY or HTTPS_PROXY is not a URL; correct or unset it', {
      cause: error,
    });
  }
}

/** `NO_PROXY`: hosts including subdomains, `host:port`, or `*` for everything. */
function isExempt(target: URL, list: string | undefined): boolean {
  const port = target.port || (target.protocol === 'https:' ? '443' : '80');
  return (list ?? '')
    .split(/[\s,]+/)
    .filter(Boolean)
    .some((entry) => exempts(entry.toLowerCase(), target.hostname.toLowerCase(), port));
}

function exempts(entry: string, host: string, port: string): boolean {
  if (entry === '*') return true;
  const [, name = entry, entryPort] = /^(.*?)(?::(\d+))?$/.exec(entry) ?? [];
  if (entryPort !== undefined && entryPort !== port) return false;
  const bare = name.replace(/^\*?\./, '');
  return host === bare || host.endsWith(`.${bare}`);
}
