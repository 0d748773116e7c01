import type { RewindPreview, RewindResult } from '@robota-sdk/agent-sdk';
import { z } from 'zod';

// Wire schemas of rewind, for HTTP and WebSocket.

const blockIdSchema = z.string().min(1).max(512);
/** What to do with files the user changed; `refuse` by default. */
const conflictsSchema = z.enum(['refuse', 'keep', 'overwrite']);

export const previewRequestSchema = z.object({ to: blockIdSchema });
export const rewindRequestSchema = z.object({
  /** The block id of a prompt. */
  to: blockIdSchema,
  what: z.enum(['conversation', 'files', 'both']).optional(),
  conflicts: conflictsSchema.optional(),
  /** `seen` of a preview: if a file changed since, nothing is done and the answer is 409. */
  seen: z.string().max(64).optional(),
});
export const undoRequestSchema = z.object({ conflicts: conflictsSchema.optional() });
export const forkRequestSchema = z.object({ at: blockIdSchema.optional() });

const changeSchema = z.enum(['restore', 'create', 'delete']);
const diffLineSchema = z.object({
  type: z.enum(['hunk', 'context', 'add', 'remove']),
  text: z.string(),
  lineNumber: z.number().int(),
});

export const rewindPreviewSchema: z.ZodType<RewindPreview> = z.object({
  to: z.string(),
  prompt: z.string(),
  files: z.array(
    z.object({
      path: z.string(),
      change: changeSchema,
      conflict: z.string().exactOptional(),
      isFixed: z.boolean().exactOptional(),
      diff: z.array(diffLineSchema).exactOptional(),
    }),
  ),
  notCovered: z.array(z.string()),
  seen: z.string(),
});

export const rewindResultSchema: z.ZodType<RewindResult> = z.object({
  to: z.string(),
  what: z.enum(['conversation', 'files', 'both']),
  prompt: z.string(),
  files: z.array(z.object({ path: z.string(), change: changeSchema })),
  kept: z.array(z.string()),
});
