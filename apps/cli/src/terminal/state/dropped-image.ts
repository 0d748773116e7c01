import { fileURLToPath } from 'node:url';

const IMAGE = /\.(?:png|jpe?g|gif|webp)$/i;
const MARK = /\[Image: ([^\]\n]+)\]/g;

/** What stands in the prompt for an image whose path was pasted or dropped; undefined for any other text. */
export function imageMark(pasted: string): string | undefined {
  const path = pathOf(pasted.trim());
  if (path === undefined || !IMAGE.test(path) || /[\]\n]/.test(path)) return undefined;
  return `[Image: ${path}] `;
}

/** The images that a prompt brings along. */
export function imagePathsIn(text: string): string[] {
  return [...new Set([...text.matchAll(MARK)].map(([, path = '']) => path))];
}

/** Terminals write a dropped file with quotes, with backslashes or as an address. */
function pathOf(text: string): string | undefined {
  if (text.startsWith('file://')) {
    return URL.canParse(text) ? fileURLToPath(new URL(text)) : undefined;
  }
  const [, quoted] = /^(?:'([^']+)'|"([^"]+)")$/.exec(text)?.filter(Boolean) ?? [];
  const path = quoted ?? text.replaceAll(/\\(.)/g, '$1');
  const isOneWord = quoted !== undefined || !/(?<!\\)\s/.test(text);
  return isOneWord && /^(?:\/|~\/|\.{1,2}\/)/.test(path) ? path : undefined;
}
