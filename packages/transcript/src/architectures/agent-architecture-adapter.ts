import type { AgentProfile } from '../agent-sandbox/agent-profile.ts';
import type { AgentArchitectureType } from '../architecture-type.ts';
import type { ImageContent } from '../blocks.ts';
import type { ParsedTranscript, RawTranscripts } from '../parsed-transcript.ts';
import type { StreamEvent } from '../stream-events.ts';
import type { AskPermission } from './permission-question.ts';
import type { TranscriptSource } from './read-transcript-file.ts';
import type { SubagentFile } from './transcript-layout.ts';

/**
 * Port: everything in which one agent program differs from another. Nobody else asks which agent it is. Set-up
 * writes only through the given `writeFile`.
 */
export interface AgentArchitectureAdapter {
  readonly type: AgentArchitectureType;
  /** How its transcripts are read from a disk; without it a session is not watched between its turns. */
  readonly source?: TranscriptSource | undefined;
  getPaths(): AgentPaths;
  setupAgentProfile(setup: {
    readonly agentProfile: AgentProfile;
    readonly writeFile: WriteFile;
  }): Promise<void>;
  /** Puts transcripts, byte for byte, where the program looks for them when it resumes the session. */
  setupSessionTranscripts(setup: {
    readonly sessionId: string;
    readonly transcripts: RawTranscripts;
    readonly writeFile: WriteFile;
  }): Promise<void>;
  /** Where the program keeps what it has written of the session. */
  findTranscripts(sessionId: string): Promise<TranscriptFiles>;
  /**
   * One turn. The last event is a `metadata_update` whose `lastTurn` says how it ended; a program that ends
   * without a word has been interrupted. Throws when the turn could not begin. A reader that stops early, or
   * the signal, ends the program and everything it started.
   */
  executeQuery(query: AgentQuery): AsyncGenerator<StreamEvent>;
  parseTranscripts(raw: RawTranscripts): ParsedTranscript;
  /** Ends the program and everything it started. Another query starts it again. */
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
  /** Missing while the program has written nothing. */
  readonly main: string | undefined;
  readonly subagents: readonly SubagentFile[];
}

/** One prompt to an agent's program, with its events. */
export interface AgentQuery {
  readonly query: string;
  /** Images in base64 that go with it, for programs whose format says `takesImages`. */
  readonly images?: readonly ImageContent[] | undefined;
  /** The program's own id where it has chosen one; `lastTurn` and `sessionId` of the metadata tell it. */
  readonly sessionId: string;
  readonly isNewSession: boolean;
  /** A new session that begins with what was said in this one. */
  readonly forkOf?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Without it every question is answered with no. */
  readonly onPermissionRequest?: AskPermission | undefined;
}

/** How a turn ended; stands in the metadata as `lastTurn`. */
export interface TurnOutcome {
  readonly status: 'completed' | 'interrupted' | 'failed';
  readonly reason?: string;
}
