import { createContext, useContext } from 'react';

/** True while a conversation becomes a file: nothing can be pressed there, and everything must be in it. */
export const StaticRendering = createContext(false);

export function useIsStatic(): boolean {
  return useContext(StaticRendering);
}
