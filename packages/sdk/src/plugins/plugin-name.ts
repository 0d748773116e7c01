/** Names become folder names, so they must be a plain word. */
export function assertPluginName(name: unknown, what: string): asserts name is string {
  if (typeof name === 'string' && /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/.test(name)) return;
  throw new Error(`${what} has the name ${JSON.stringify(name)}, which is not a plain word`);
}

/** `name@marketplace`, as in settings and commands. */
export function pluginId(name: string, marketplace: string | undefined): string {
  return marketplace === undefined ? name : `${name}@${marketplace}`;
}
