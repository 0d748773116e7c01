import type { AgentHome } from '../agent-sandbox/agent-home.ts';
import type { AgentProfile } from '../agent-sandbox/agent-profile.ts';
import type { AgentArchitectureType } from '../architecture-type.ts';
import type { RawTranscripts } from '../parsed-transcript.ts';
import type { StreamEvent } from '../stream-events.ts';
import type { AgentPaths, AgentQuery } from './agent-architecture-adapter.ts';
import type { TranscriptSource } from './read-transcript-file.ts';

/** Port: one agent program that runs as a separate process. */
export interface AgentProgram {
  readonly type: AgentArchitectureType;
  readonly source: TranscriptSource;
  paths(home: AgentHome): AgentPaths;
  /** The files that configure the program according to the profile. */
  profileFiles(profile: AgentProfile, paths: AgentPaths): readonly SetupFile[];
  /** The files from which the program resumes a session. */
  transcriptFiles(
    sessionId: string,
    transcripts: RawTranscripts,
    paths: AgentPaths,
  ): readonly SetupFile[];
  /** The session's main transcript; `undefined` until the program has written it. */
  findMainTranscript(sessionId: string, paths: AgentPaths): Promise<string | undefined>;
  createRunner(setting: AgentSetting, paths: AgentPaths): QueryRunner;
}

/** Keeps the program running between queries, which is faster than starting it for each. */
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
  /** By default the program is looked up in PATH. `args` come after ours. */
  readonly program?: { readonly command: string; readonly args?: readonly string[] } | undefined;
  /** Added to the environment of this process; `undefined` removes a variable. */
  readonly environment?: Readonly<Record<string, string | undefined>> | undefined;
  readonly model?: string | undefined;
  readonly permissionMode?: AgentPermissionMode | undefined;
  readonly systemPrompt?: string | undefined;
}

/** `default` asks before anything is changed, `plan` changes nothing, `bypassPermissions` never asks. */
export type AgentPermissionMode = 'default' | 'acceptEdits' | 'plan' | 'bypassPermissions';
