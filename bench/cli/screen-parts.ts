/** What the rows about drawing use of the terminal; they bundle it as the command is bundled. */
export { render } from 'ink';
export { createElement } from 'react';
export { Screen } from '../../apps/cli/src/terminal/components/screen.tsx';
export { initialScreen } from '../../apps/cli/src/terminal/state/screen-state.ts';
export { ScreenStore } from '../../apps/cli/src/terminal/state/screen-store.ts';
