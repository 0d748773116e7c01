import { TranscriptConflictError } from './errors.ts';
import type { TranscriptPiece } from './transcript-persistence.ts';

/** The bytes of the piece that are not saved yet. */
export function newBytesOf(sessionId: string, piece: TranscriptPiece, saved: SavedBytes): Buffer {
  const bytes = Buffer.from(piece.text, 'utf8');
  if (piece.offset > saved.length) {
    throw new TranscriptConflictError(
      sessionId,
      `it begins at byte ${piece.offset}, only ${saved.length} are saved`,
    );
  }
  const overlap = Math.min(saved.length - piece.offset, bytes.length);
  if (overlap > 0 && !saved.read(piece.offset, overlap).equals(bytes.subarray(0, overlap))) {
    throw new TranscriptConflictError(sessionId, `it differs after byte ${piece.offset}`);
  }
  return bytes.subarray(overlap);
}

export interface SavedBytes {
  readonly length: number;
  read(offset: number, length: number): Buffer;
}
