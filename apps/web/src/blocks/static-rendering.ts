import { createContext, useContext } from 'react';

/** True while exporting to a file, which has no interaction and must contain everything. */
export const StaticRendering = createContext(false);

export function useIsStatic(): boolean {
  return useContext(StaticRendering);
}
