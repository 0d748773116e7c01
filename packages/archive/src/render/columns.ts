/** How many columns of a terminal a text takes. */
export function columnsOf(text: string): number {
  let columns = 0;
  for (const character of text) {
    if (/\p{M}|\p{Cf}/u.test(character)) continue;
    columns += WIDE.test(character) ? 2 : 1;
  }
  return columns;
}

const WIDE =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Emoji_Presentation}\u3000-\u303f\uff01-\uff60]/u;

/** The text in exactly `width` columns: cut with an ellipsis, or filled up with spaces. */
export function fit(text: string, width: number, side: 'left' | 'right' = 'left'): string {
  const cut = columnsOf(text) <= width ? text : `${take(text, width - 1)}…`;
  const space = ' '.repeat(Math.max(0, width - columnsOf(cut)));
  return side === 'left' ? `${cut}${space}` : `${space}${cut}`;
}

function take(text: string, width: number): string {
  let [taken, columns] = ['', 0];
  for (const character of text) {
    columns += columnsOf(character);
    if (columns > width) break;
    taken += character;
  }
  return taken;
}

/** `$21.87`, and below a cent enough places to see that it is something. */
export function formatDollars(amount: number): string {
  if (amount === 0 || amount >= 0.01) return `$${amount.toFixed(2)}`;
  return amount < 0.0001 ? '<$0.0001' : `$${amount.toFixed(4)}`;
}

/** `703`, `12k`, `2.0M`, `1.2B`. */
export function formatCount(count: number): string {
  for (const [unit, size] of UNITS) {
    const share = count / size;
    if (share >= 0.9995) return `${share < 9.95 ? share.toFixed(1) : Math.round(share)}${unit}`;
  }
  return String(count);
}

const UNITS = [
  ['B', 1e9],
  ['M', 1e6],
  ['k', 1e3],
] as const;
