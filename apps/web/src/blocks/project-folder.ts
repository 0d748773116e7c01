import { createContext, useContext } from 'react';

/** Where the session takes place; files below it are named from there. */
export const ProjectFolder = createContext<string | undefined>(undefined);

/** Names files as a person in the project would. */
export function useShortPaths(): (text: string) => string {
  const folder = useContext(ProjectFolder);
  return (text) => shortPath(text, folder);
}

/** Only a target that is a path whole, so that commands are shown as they ran. */
function shortPath(text: string, folder: string | undefined): string {
  const base = folder?.replace(/\/+$/, '');
  if (base === undefined || base === '' || !text.startsWith(`${base}/`)) return text;
  return /\s/.test(text) ? text : text.slice(base.length + 1);
}
