/** The known name a word was probably meant to be; undefined when it is one of them, or like none. */
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

/** The first name whose beginning is nearly this word: `sonet` for a `sonnet-5-5`; undefined when none is. */
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

/** How many letters have to be added, taken away or replaced. */
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
