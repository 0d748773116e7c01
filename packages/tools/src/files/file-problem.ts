import { NotAFileError } from './not-a-file-error.ts';
import { hasCode, isMissing } from './resolve-links.ts';

/** The message for the model when a file could not be read or written. */
export function describeFileProblem(
  error: unknown,
  { action, path }: { readonly action: 'read' | 'write'; readonly path: string },
): string {
  if (isMissing(error) && action === 'read') return `File not found: ${path}`;
  if (error instanceof NotAFileError || hasCode(error, 'EISDIR') || hasCode(error, 'ENXIO')) {
    return `Path is not a file: ${path}`;
  }
  if (hasCode(error, 'ELOOP')) return `Cannot ${action} file: ${path} (a link appeared on the way)`;
  if (hasCode(error, 'EACCES') || hasCode(error, 'EPERM')) {
    return `Cannot ${action} file: ${path} (permission denied)`;
  }
  const reason = error instanceof Error ? error.message : String(error);
  return `Cannot ${action} file: ${path} (${reason})`;
}
