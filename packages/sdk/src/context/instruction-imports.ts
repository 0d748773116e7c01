import { realpathSync, statSync } from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';
import { isWithin, readSettingsText } from '../config/read-settings-text.ts';
import { homeDirectory } from '../paths.ts';

/** Limit of one instruction file; a larger one is left out with a notice. */
const MAX_FILE_BYTES = 256 * 1024;
/** Maximum depth of nested imports. */
const MAX_DEPTH = 5;

export interface ImportBounds {
  /** Imports and links may not leave this directory; unrestricted when absent. */
  readonly root?: string | undefined;
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

/** Null leaves the text unchanged: not every `@word` is an import. */
function importFrom(path: string, site: ImportSite): string | null {
  const target = resolveImport(path, site.file);
  if (target === null) return null;
  const { onNotice, root } = site.bounds;
  if (site.chain.includes(target)) {
    onNotice(`${site.file} imports @${path}, which imports it in turn; the import was left out.`);
    return '';
  }
  if (site.chain.length > MAX_DEPTH) {
    onNotice(`${site.file} imports @${path} more than ${MAX_DEPTH} files deep; it was left out.`);
    return '';
  }
  if (root !== undefined && !isWithin(root, target)) {
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

function readBounded(file: string, { root, onNotice }: ImportBounds): string | null {
  const read = readSettingsText(file, { root, maxBytes: MAX_FILE_BYTES });
  if (read === null || typeof read === 'string') return read;
  const advice = read.problem.startsWith('has ') ? ' Shorten it or split it.' : '';
  onNotice(`${file} ${read.problem}; it was left out.${advice}`);
  return null;
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
