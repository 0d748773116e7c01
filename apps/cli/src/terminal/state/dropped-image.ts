import { fileURLToPath } from 'node:url';

const IMAGE = /\.(?:png|jpe?g|gif|webp)$/i;
const MARK = /\[Image: ([^\]\n]+)\]/g;

/** The placeholder for a pasted or dropped image path; undefined for any other text. */
export function imageMark(pasted: string): string | undefined {
  const path = pathOf(pasted.trim());
  if (path === undefined || !IMAGE.test(path) || /[\]\n]/.test(path)) return undefined;
  return `[Image: ${path}] `;
}

/** Paths of the image placeholders in a prompt. */
export function imagePathsIn(text: string): string[] {
  return [...new Set([...text.matchAll(MARK)].map(([, path = '']) => path))];
}

/** Terminals insert a dropped file quoted, backslash-escaped or as a file URL. */
function pathOf(text: string): string | undefined {
  if (text.startsWith('file://')) {
    return URL.canParse(text) ? fileURLToPath(new URL(text)) : undefined;
  }
  const [, quoted] = /^(?:'([^']+)'|"([^"]+)")$/.exec(text)?.filter(Boolean) ?? [];
  const path = quoted ?? text.replaceAll(/\\(.)/g, '$1');
  const isOneWord = quoted !== undefined || !/(?<!\\)\s/.test(text);
  return isOneWord && /^(?:\/|~\/|\.{1,2}\/)/.test(path) ? path : undefined;
}
