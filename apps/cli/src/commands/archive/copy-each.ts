import type { CopiedSession } from '@robota-sdk/agent-archive/postgres';
import type { Output } from '../../output.ts';

export type CopyOne = (id: string) => Promise<CopiedSession>;

/** Copies sessions one by one and reports each result; a failure does not stop the others. */
export async function copyEach(
  ids: readonly string[],
  copy: CopyOne,
  { output, isJson }: { readonly output: Output; readonly isJson: boolean },
): Promise<number> {
  let failed = 0;
  for (const id of ids) {
    try {
      const copied = await copy(id);
      const { lines, payloads, sha256 } = copied;
      if (isJson) output.writeLine(JSON.stringify(copied));
      else {
        const hash = sha256.slice(0, 12);
        output.writeLine(`${id}: ${lines} lines, ${payloads} payloads, equal (${hash})`);
      }
    } catch (error) {
      failed += 1;
      const message = error instanceof Error ? error.message : String(error);
      if (isJson) output.writeLine(JSON.stringify({ id, error: message }));
      else output.note(`${id}: ${message}`);
    }
  }
  if (!isJson) output.writeLine(`${ids.length - failed} of ${ids.length} session(s) copied.`);
  return failed;
}
