/** The marker of the code fence open after a line, given the one open before it. */
export function fenceAfter(open: string | undefined, line: string): string | undefined {
  const [, marker = '', rest = ''] = /^\s*(`{3,}|~{3,})(.*)$/.exec(line) ?? [];
  if (marker === '') return open;
  if (open === undefined) return marker.startsWith('`') && rest.includes('`') ? undefined : marker;
  return marker.startsWith(open) && rest.trim() === '' ? undefined : open;
}
