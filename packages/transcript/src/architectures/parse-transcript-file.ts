import type { AgentArchitectureType } from '../architecture-type.ts';
import type { ConversationBlock } from '../blocks.ts';
import type { ParsedTranscript } from '../parsed-transcript.ts';
import { registeredAgent } from './agents.ts';
import { readTailBlocks } from './read-tail-blocks.ts';
import { readTranscriptFile } from './read-transcript-file.ts';

/** Reads a session of a registered agent from its transcript file, with its subagents. */
export async function parseTranscriptFile(
  type: AgentArchitectureType,
  path: string,
): Promise<ParsedTranscript> {
  return readTranscriptFile(registeredAgent(type), path);
}

/** The last `limit` blocks of the main conversation, read from the end of the file as far as needed. */
export async function readLastBlocks(
  type: AgentArchitectureType,
  path: string,
  limit: number,
): Promise<readonly ConversationBlock[]> {
  if (!(limit > 0)) return [];
  const tail = await readTailBlocks(registeredAgent(type), path, limit);
  if (tail !== undefined) return tail;
  const { blocks } = await parseTranscriptFile(type, path);
  return blocks.slice(-limit);
}
