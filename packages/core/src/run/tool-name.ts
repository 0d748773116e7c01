/** The names that every vendor accepts. */
const LEGAL_NAME = /^[a-zA-Z0-9_-]{1,64}$/;

export function isLegalToolName(name: string): boolean {
  return LEGAL_NAME.test(name);
}

/** The name, with characters that vendors reject replaced. */
export function legalToolName(name: string): string {
  if (isLegalToolName(name)) return name;
  return name.replaceAll(/[^a-zA-Z0-9_-]/g, '_').slice(0, 64) || 'unnamed_tool';
}
