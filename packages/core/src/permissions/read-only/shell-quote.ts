/** A word that every shell reads back as exactly this text. */
export function quoteWord(text: string): string {
  if (/^[A-Za-z0-9_.,:/@%+=-]+$/.test(text)) return text;
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** The same text where it stands between double quotes. */
export function escapeInQuotes(text: string): string {
  return text.replaceAll(/["$`\\]/g, '\\$&');
}
