/** Vendors quote keys in their messages, in part or whole; no error of ours repeats one. */
export function withoutSecrets(text: string, secrets: readonly string[]): string {
  const known = secrets
    .filter((secret) => secret !== '')
    .reduce((left, secret) => left.replaceAll(secret, '[REDACTED]'), text);
  return known.replace(/\b(?:sk-|AIza)[\w*.-]{4,}/g, '[REDACTED]');
}
