import type { ReactNode } from 'react';

/** Draws a list whose items never move: the place of an item is what it is known by. */
export function byPosition<Item>(
  items: readonly Item[],
  draw: (item: Item, position: string, index: number) => ReactNode,
): ReactNode[] {
  return items.map((item, index) => draw(item, String(index), index));
}
