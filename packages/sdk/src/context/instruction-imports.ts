import { readFileSync, realpathSync, statSync } from 'node:fs';
import { dirname, isAbsolute, join, relative } from 'node:path';
import { homeDirectory } from '../paths.ts';

/** Bytes of one instruction file; a larger one is left out with a notice. */
const MAX_FILE_BYTES = 256 * 1024;
/** How many files may import each other in a row. */
const MAX_DEPTH = 5;

export interface ImportBounds {
  /** Imports from outside these directories are left out. */
  readonly roots: readonly string[];
  readonly onNotice: (notice: string) => void;
}

/** The text of an instruction file with its `@path` imports filled in; null when there is no such file. */
export function readInstructionFile(file: string, bounds: ImportBounds): string | null {
  return readWithImports(file, bounds, []);
}

function readWithImports(
  file: string,
  bounds: ImportBounds,
  importers: readonly string[],
): string | null {
  const text = readBounded(file, bounds);
  if (text === null) return null;
  const chain = [...importers, realpathSync(file)];
  return mapProse(text, (line) =>
    line.replace(/(^|[\s(])@([^\s`)]+)/g, (written, lead: string, path: string) => {
      const imported = importFrom(path, { file, bounds, chain });
      return imported === null ? written : `${lead}${imported}`;
    }),
  );
}

interface ImportSite {
  readonly file: string;
  readonly bounds: ImportBounds;
  /** Real paths of the files that lead here, the importing one last. */
  readonly chain: readonly string[];
}

/** Null leaves the text as it stands: not every `@word` is an import. */
function importFrom(path: string, site: ImportSite): string | null {
  const target = resolveImport(path, site.file);
  if (target === null) return null;
  const { onNotice, roots } = site.bounds;
  if (site.chain.includes(target)) {
    onNotice(`${site.file} imports @${path}, which imports it in turn; the import was left out.`);
    return '';
  }
  if (site.chain.length > MAX_DEPTH) {
    onNotice(`${site.file} imports @${path} more than ${MAX_DEPTH} files deep; it was left out.`);
    return '';
  }
  if (!roots.some((root) => isInside(root, target))) {
    onNotice(`${site.file} imports @${path} from outside the workspace; it was left out.`);
    return '';
  }
  return readWithImports(target, site.bounds, site.chain)?.trimEnd() ?? null;
}

function resolveImport(path: string, from: string): string | null {
  const expanded = path.startsWith('~/') ? join(homeDirectory(), path.slice(2)) : path;
  const absolute = isAbsolute(expanded) ? expanded : join(dirname(from), expanded);
  try {
    const real = realpathSync(absolute);
    return statSync(real).isFile() ? real : null;
  } catch {
    // Not a file: `@someone` in prose is no import.
    return null;
  }
}

function readBounded(file: string, bounds: ImportBounds): string | null {
  const size = statSync(file, { throwIfNoEntry: false });
  if (!size?.isFile()) return null;
  if (size.size > MAX_FILE_BYTES) {
    const kilobytes = Math.ceil(size.size / 1024).toLocaleString('en-US');
    bounds.onNotice(
      `${file} has ${kilobytes} KB; instruction files are read up to ${MAX_FILE_BYTES / 1024} KB. Shorten it or split it.`,
    );
    return null;
  }
  try {
    return readFileSync(file, 'utf8').replace(/^\uFEFF/, '');
  } catch (error) {
    bounds.onNotice(`${file} cannot be read: ${(error as Error).message}`);
    return null;
  }
}

/** Applies `change` to the lines outside fenced code and to the pieces outside inline code. */
function mapProse(text: string, change: (piece: string) => string): string {
  let fence: string | null = null;
  return text
    .split('\n')
    .map((line) => {
      const marker = /^\s*(```|~~~)/.exec(line)?.[1];
      if (marker && (fence === null || fence === marker)) {
        fence = fence === null ? marker : null;
        return line;
      }
      if (fence !== null || !line.includes('@')) return line;
      return line
        .split(/(`[^`]*`)/)
        .map((piece) => (piece.startsWith('`') ? piece : change(piece)))
        .join('');
    })
    .join('\n');
}

function isInside(root: string, target: string): boolean {
  const path = relative(root, target);
  return path === '' || (!path.startsWith('..') && !isAbsolute(path));
}
