import type { AgentProfile } from '../agent-sandbox/agent-profile.ts';
import type { AgentArchitectureType } from '../architecture-type.ts';
import type { ImageContent } from '../blocks.ts';
import type { ParsedTranscript, RawTranscripts } from '../parsed-transcript.ts';
import type { StreamEvent } from '../stream-events.ts';
import type { AskPermission } from './permission-question.ts';
import type { TranscriptSource } from './read-transcript-file.ts';
import type { SubagentFile } from './transcript-layout.ts';

/**
 * Port: everything in which one agent program differs from another; no other code checks which agent it is. Setup
 * writes only through the given `writeFile`.
 */
export interface AgentArchitectureAdapter {
  readonly type: AgentArchitectureType;
  /** How its transcripts are read from disk; without it a session is not watched between its turns. */
  readonly source?: TranscriptSource | undefined;
  getPaths(): AgentPaths;
  setupAgentProfile(setup: {
    readonly agentProfile: AgentProfile;
    readonly writeFile: WriteFile;
  }): Promise<void>;
  /** Writes transcripts, byte for byte, where the program looks for them when it resumes the session. */
  setupSessionTranscripts(setup: {
    readonly sessionId: string;
    readonly transcripts: RawTranscripts;
    readonly writeFile: WriteFile;
  }): Promise<void>;
  /** The files the program has written for the session. */
  findTranscripts(sessionId: string): Promise<TranscriptFiles>;
  /**
   * Runs one turn. The last event is a `metadata_update` whose `lastTurn` says how it ended; a program that exits
   * without a result counts as interrupted. Throws when the turn could not begin. Breaking out of the loop, or
   * the signal, ends the program and its child processes.
   */
  executeQuery(query: AgentQuery): AsyncGenerator<StreamEvent>;
  parseTranscripts(raw: RawTranscripts): ParsedTranscript;
  /** Ends the program and its child processes. The next query starts it again. */
  close(): Promise<void>;
}

/** Writes a file into an agent's home. */
export type WriteFile = (path: string, content: string) => Promise<void>;

/** Where an agent keeps its files. */
export interface AgentPaths {
  /** Where the program keeps the transcripts of this workspace. */
  readonly AGENT_STORAGE_DIR: string;
  readonly WORKSPACE_DIR: string;
  /** Settings, skills, agents and commands. */
  readonly AGENT_PROFILE_DIR: string;
  readonly AGENT_MD_FILE: string;
}

/** The files of one session. */
export interface TranscriptFiles {
  /** `undefined` until the program has written something. */
  readonly main: string | undefined;
  readonly subagents: readonly SubagentFile[];
}

/** One prompt to an agent's program, with its events. */
export interface AgentQuery {
  readonly query: string;
  /** Base64 images, for programs with the trait `takesImages`. */
  readonly images?: readonly ImageContent[] | undefined;
  /** The program's own id if it has chosen one, which it reports as `sessionId` in a `metadata_update`. */
  readonly sessionId: string;
  readonly isNewSession: boolean;
  /** The session to fork: the new one begins with its conversation. */
  readonly forkOf?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Without it every question is denied. */
  readonly onPermissionRequest?: AskPermission | undefined;
}

/** How a turn ended; reported as `lastTurn` in the metadata. */
export interface TurnOutcome {
  readonly status: 'completed' | 'interrupted' | 'failed';
  readonly reason?: string;
}
