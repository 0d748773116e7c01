import { type RemoveHandOverResult, removeHandOver } from '@robota-sdk/agent-sdk';
import { EXIT } from '../../exit-code.ts';
import type { Output } from '../../output.ts';

/** Removes what a hand-over wrote into another agent's home, unless its program has continued the session. */
export async function removeWritten(id: string, output: Output, isJson: boolean): Promise<number> {
  const result = await removeHandOver(id);
  if (isJson) output.writeLine(JSON.stringify({ id, ...result }));
  else if (isGone(result)) output.writeLine(sentence(id, result));
  else output.note(`robota: ${sentence(id, result)}`);
  return isGone(result) ? EXIT.done : EXIT.failed;
}

function isGone({ status }: RemoveHandOverResult): boolean {
  return status === 'removed' || status === 'missing';
}

function sentence(id: string, result: RemoveHandOverResult): string {
  switch (result.status) {
    case 'removed':
      return `Removed ${result.file}.`;
    case 'missing':
      return `${result.file} is gone already.`;
    case 'continued':
      return `Kept ${result.file}: the session was continued after the hand-over.`;
    case 'unknown':
      return `No hand-over with the id ${id}. Pass the id of the new session.`;
  }
}
