import type { AgentArchitectureType } from '../architecture-type.ts';

/**
 * Port: finds one agent's sessions on this machine. Reads only the head of each transcript; missing folders and
 * unreadable files are normal and yield nothing.
 */
export interface SessionFinder {
  find(place: FinderPlace): AsyncIterable<FoundTranscript>;
  /** The transcript of one session without reading the others; without this method all heads are read. */
  locate?(place: FinderPlace, sessionId: string): Promise<string | undefined>;
  /** Transcripts without a session on this machine, for agents that leave them behind. */
  findOrphans?(place: FinderPlace): AsyncIterable<FoundTranscript>;
  /** The program and arguments that continue a session. */
  resumeCommand(sessionId: string): readonly string[];
}

/** Where an agent keeps its sessions. */
export interface FinderPlace {
  readonly home: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** A transcript on disk, before it is read. */
export interface FoundTranscript {
  readonly type: AgentArchitectureType;
  readonly id: string;
  readonly path: string;
  readonly cwd: string | undefined;
  /** The first user message, if the head of the file contains it. */
  readonly preview: string | undefined;
  /** Milliseconds since 1970. */
  readonly updatedAt: number;
}
