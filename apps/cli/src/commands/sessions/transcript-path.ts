import { join } from 'node:path';
import { userPaths } from '@robota-sdk/agent-sdk';
import type { FoundSession } from './found-session.ts';

/** The file that holds what was said: a foreign transcript, or our own log. */
export function transcriptPath({ path, id }: FoundSession): string {
  return path ?? join(userPaths().logs, `${id}.jsonl`);
}
