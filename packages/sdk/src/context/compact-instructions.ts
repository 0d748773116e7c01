/** The text under a "Compact Instructions" heading, up to the next heading of the same or a higher level. */
export function extractCompactInstructions(markdown: string): string | undefined {
  const lines = markdown.split('\n');
  const start = lines.findIndex((line) => /^#{1,6}\s+.*compact\s+instructions/i.test(line));
  if (start < 0) return undefined;
  const level = headingLevel(lines[start] ?? '');
  const rest = lines.slice(start + 1);
  const end = rest.findIndex((line) => headingLevel(line) > 0 && headingLevel(line) <= level);
  const body = rest
    .slice(0, end < 0 ? rest.length : end)
    .join('\n')
    .trim();
  return body === '' ? undefined : body;
}

function headingLevel(line: string): number {
  return /^(#{1,6})\s/.exec(line)?.[1]?.length ?? 0;
}
