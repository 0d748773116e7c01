import type { AgentHome } from '../agent-sandbox/agent-home.ts';
import type { AgentProfile } from '../agent-sandbox/agent-profile.ts';
import type { AgentArchitectureType } from '../architecture-type.ts';
import type { RawTranscripts } from '../parsed-transcript.ts';
import type { StreamEvent } from '../stream-events.ts';
import type { AgentPaths, AgentQuery } from './agent-architecture-adapter.ts';
import type { TranscriptSource } from './read-transcript-file.ts';

/** Port: what is known about one agent program that is started as a process of its own. */
export interface AgentProgram {
  readonly type: AgentArchitectureType;
  readonly source: TranscriptSource;
  paths(home: AgentHome): AgentPaths;
  /** The files that make the program what the profile says. */
  profileFiles(profile: AgentProfile, paths: AgentPaths): readonly SetupFile[];
  /** The files from which the program resumes a session. */
  transcriptFiles(
    sessionId: string,
    transcripts: RawTranscripts,
    paths: AgentPaths,
  ): readonly SetupFile[];
  /** Where the program writes the session's main transcript; `undefined` while it has written nothing. */
  findMainTranscript(sessionId: string, paths: AgentPaths): Promise<string | undefined>;
  createRunner(setting: AgentSetting, paths: AgentPaths): QueryRunner;
}

/** Holds the program between queries, which is faster than starting it for each. */
export interface QueryRunner {
  run(query: AgentQuery): AsyncGenerator<StreamEvent>;
  close(): Promise<void>;
}

export interface SetupFile {
  readonly path: string;
  readonly content: string;
}

/** Where and how a program is run. */
export interface AgentSetting {
  readonly home: AgentHome;
  /** By default the program is looked for on the search path. `args` come after ours. */
  readonly program?: { readonly command: string; readonly args?: readonly string[] } | undefined;
  /** Added to the environment of this process; `undefined` takes a variable out. */
  readonly environment?: Readonly<Record<string, string | undefined>> | undefined;
  readonly model?: string | undefined;
  readonly permissionMode?: AgentPermissionMode | undefined;
  readonly systemPrompt?: string | undefined;
}

/** `default` asks before anything is changed, `plan` changes nothing, `bypassPermissions` never asks. */
export type AgentPermissionMode = 'default' | 'acceptEdits' | 'plan' | 'bypassPermissions';
