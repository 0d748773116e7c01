// What the terminal's bundle offers: the terminal, and what must be loaded before it draws.
export { runTerminal } from '../src/terminal/run-terminal.tsx';
export { loadLayoutEngine } from './yoga.mjs';
