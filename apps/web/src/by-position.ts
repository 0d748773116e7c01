import type { ReactNode } from 'react';

/** Renders a list whose items never move, with their positions as keys. */
export function byPosition<Item>(
  items: readonly Item[],
  draw: (item: Item, position: string, index: number) => ReactNode,
): ReactNode[] {
  return items.map((item, index) => draw(item, String(index), index));
}
