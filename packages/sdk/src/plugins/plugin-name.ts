/** Names become folders, so they are one plain word. */
export function assertPluginName(name: unknown, what: string): asserts name is string {
  if (typeof name === 'string' && /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/.test(name)) return;
  throw new Error(`${what} has the name ${JSON.stringify(name)}, which is not a plain word`);
}

/** `name@marketplace`, the way settings and commands speak of a plugin. */
export function pluginId(name: string, marketplace: string | undefined): string {
  return marketplace === undefined ? name : `${name}@${marketplace}`;
}
