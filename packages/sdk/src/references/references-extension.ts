import { relative } from 'node:path';
import type {
  ExtensionContext,
  PreparedPrompt,
  SessionExtension,
} from '../assembly/session-extension.ts';
import { findMentions } from './find-references.ts';
import { type FileReference, readReferences } from './read-reference.ts';
import { explainReading } from './read-refusal.ts';

/** Maximum files listed in the record; the oldest are dropped. */
const MAX_REMEMBERED = 32;

/** Attaches the files that a prompt mentions as `@path`. */
export function referencesExtension(): SessionExtension {
  return {
    name: 'file references',
    extend: (context) => ({ preparePrompt: (prompt) => withFiles(prompt, context) }),
  };
}

async function withFiles(
  prompt: PreparedPrompt,
  context: ExtensionContext,
): Promise<PreparedPrompt> {
  const mentions = findMentions(prompt.input);
  if (mentions.length === 0) return prompt;
  const { references, problems } = await readReferences(mentions, {
    cwd: context.cwd,
    refusal: (path) => refusalOf(path, context),
  });
  for (const problem of problems) context.notice(`File reference ${problem}`);
  if (references.length === 0) return prompt;
  remember(references, context);
  const images = references.flatMap((file) => (file.kind === 'image' ? [file.image] : []));
  return {
    input: `${prompt.input}\n\n${describe(references, context.cwd)}`,
    ...((images.length > 0 || prompt.parts) && { parts: [...(prompt.parts ?? []), ...images] }),
  };
}

/** Read rules apply here too; where they would ask, the file is left to the Read tool. */
async function refusalOf(path: string, context: ExtensionContext): Promise<string | undefined> {
  const { decision, reason } = await explainReading(path, context);
  return decision === 'auto' ? undefined : reason;
}

function describe(references: readonly FileReference[], cwd: string): string {
  const files = references.map((file) => {
    const head = `<file path="${shortPath(file.path, cwd)}" bytes="${file.bytes}" reason="prompt">`;
    return `${head}\n${file.kind === 'text' ? file.text : '[image]'}\n</file>`;
  });
  return ['<robota_file_references>', ...files, '</robota_file_references>'].join('\n');
}

function remember(references: readonly FileReference[], context: ExtensionContext): void {
  const files = references.map(({ path, bytes, kind }) => ({
    path: shortPath(path, context.cwd),
    bytes,
    kind,
  }));
  context.addHistoryEvent('prompt-file-reference', { files });
  const before = context.record.get('contextReferences');
  const kept = (Array.isArray(before) ? (before as { path: string }[]) : []).filter(
    ({ path }) => !files.some((file) => file.path === path),
  );
  context.record.set('contextReferences', [...kept, ...files].slice(-MAX_REMEMBERED));
}

function shortPath(path: string, cwd: string): string {
  const short = relative(cwd, path);
  return short.startsWith('..') ? path : short;
}
