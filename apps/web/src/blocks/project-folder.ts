import { createContext, useContext } from 'react';

/** The session's directory; paths are shown relative to it. */
export const ProjectFolder = createContext<string | undefined>(undefined);

/** Shortens paths relative to the project. */
export function useShortPaths(): (text: string) => string {
  const folder = useContext(ProjectFolder);
  return (text) => shortPath(text, folder);
}

/** Shortens only texts that are a single path, so that commands stay as they ran. */
function shortPath(text: string, folder: string | undefined): string {
  const base = folder?.replace(/\/+$/, '');
  if (base === undefined || base === '' || !text.startsWith(`${base}/`)) return text;
  return /\s/.test(text) ? text : text.slice(base.length + 1);
}
