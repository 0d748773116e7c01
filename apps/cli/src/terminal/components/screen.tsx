/** @jsxRuntime automatic */
import { Box, Static, Text, useCursor } from 'ink';
import { type ReactElement, useLayoutEffect, useSyncExternalStore } from 'react';
import { lineWidth } from '../layout/fit-line.ts';
import { layoutScreen } from '../layout/layout-screen.ts';
import type { StyledLine } from '../markdown/styled-text.ts';
import { paintLine } from '../output/paint.ts';
import type { ScreenSurface } from '../output/screen-surface.ts';
import type { Theme } from '../output/theme.ts';
import type { ScreenStore } from '../state/screen-store.ts';

/** The whole terminal: what is finished stands above for good, what happens is drawn below it. */
export function Screen(props: {
  readonly store: ScreenStore;
  readonly surface?: ScreenSurface | undefined;
}): ReactElement {
  const { store, surface } = props;
  const state = useSyncExternalStore(store.subscribe, store.getDrawn);
  const layout = layoutScreen(state);
  const { setCursorPosition } = useCursor();
  setCursorPosition(layout.cursor);
  const { items, batch } = state.print;
  useLayoutEffect(() => {
    surface?.expectFrame({ widths: layout.lines.map(lineWidth), cursorRow: layout.cursor.y });
    if (items.length > 0) store.dispatch({ type: 'printed', count: items.length });
  });
  return (
    <Box flexDirection="column">
      <Static key={batch} items={[...items]}>
        {(item) => <Rows key={item.key} lines={item.lines} theme={state.theme} />}
      </Static>
      <Rows lines={layout.lines} theme={state.theme} />
    </Box>
  );
}

/** Rows that already fit: none is wrapped again. */
function Rows(props: {
  readonly lines: readonly StyledLine[];
  readonly theme: Theme;
}): ReactElement {
  const rows = props.lines.map((line) => paintLine(line, props.theme) || ' ');
  return <Text wrap="truncate">{rows.join('\n')}</Text>;
}
