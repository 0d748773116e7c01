/** The known name a misspelled word probably means; undefined if the word is known or unlike any. */
export function nearestName(word: string, known: readonly string[]): string | undefined {
  if (known.includes(word)) return undefined;
  const lower = word.toLowerCase();
  const sameLetters = known.find((name) => name.toLowerCase() === lower);
  if (sameLetters !== undefined) return sameLetters;
  const most = word.length <= 4 ? 1 : 2;
  let best: { readonly name: string; readonly distance: number } | undefined;
  for (const name of known) {
    if (Math.abs(name.length - word.length) > most) continue;
    const distance = editDistance(lower, name.toLowerCase());
    if (distance <= most && distance < (best?.distance ?? most + 1)) best = { name, distance };
  }
  return best?.name;
}

/** The first name that starts almost like the word: `sonet` for `sonnet-5-5`; undefined if there is none. */
export function nearestBeginning(word: string, known: readonly string[]): string | undefined {
  const lower = word.toLowerCase();
  const most = word.length <= 4 ? 0 : 2;
  const distanceTo = (name: string) =>
    Math.min(
      ...[-1, 0, 1].map((more) =>
        editDistance(lower, name.toLowerCase().slice(0, lower.length + more)),
      ),
    );
  const near = known.map((name) => ({ name, distance: distanceTo(name) }));
  const least = Math.min(...near.map(({ distance }) => distance));
  return least <= most ? near.find(({ distance }) => distance === least)?.name : undefined;
}

/** Number of letters to add, remove or replace. */
function editDistance(from: string, to: string): number {
  let above = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (const [row, letter] of [...from].entries()) {
    const current = [row + 1];
    for (let column = 1; column <= to.length; column++) {
      const replaced = (above[column - 1] ?? 0) + (letter === to[column - 1] ? 0 : 1);
      const added = (current[column - 1] ?? 0) + 1;
      current[column] = Math.min((above[column] ?? 0) + 1, added, replaced);
    }
    above = current;
  }
  return above[to.length] ?? 0;
}
