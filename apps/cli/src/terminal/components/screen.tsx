/** @jsxRuntime automatic */
import { Box, Static, useCursor } from 'ink';
import { type ReactElement, useSyncExternalStore } from 'react';
import { layoutScreen } from '../layout/layout-screen.ts';
import { wrapLines } from '../layout/wrap-lines.ts';
import type { ScreenStore } from '../state/screen-store.ts';
import { StyledLines } from './styled-lines.ts';

/** The whole terminal: what is finished stands above for good, what happens is drawn below it. */
export function Screen(props: {
  readonly store: ScreenStore;
  readonly colors: boolean;
}): ReactElement {
  const { store, colors } = props;
  const state = useSyncExternalStore(store.subscribe, store.getState);
  const layout = layoutScreen(state);
  const { setCursorPosition } = useCursor();
  setCursorPosition(layout.cursor);
  return (
    <Box flexDirection="column">
      <Static key={state.print.epoch} items={[...state.print.items]}>
        {(item) => (
          <StyledLines
            key={item.key}
            lines={wrapLines(item.lines, state.columns)}
            colors={colors}
          />
        )}
      </Static>
      <StyledLines lines={layout.lines} colors={colors} />
    </Box>
  );
}
