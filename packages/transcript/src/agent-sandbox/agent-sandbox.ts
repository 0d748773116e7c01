import { homedir } from 'node:os';
import type { AgentArchitectureType } from '../architecture-type.ts';
import type {
  AgentArchitectureAdapter,
  AgentPaths,
  AgentQuery,
  TranscriptFiles,
} from '../architectures/agent-architecture-adapter.ts';
import { getAgentArchitectureAdapter } from '../architectures/agent-architectures.ts';
import type { AgentSetting } from '../architectures/agent-program.ts';
import type { TranscriptSource } from '../architectures/read-transcript-file.ts';
import type { ParsedTranscript, RawTranscripts } from '../parsed-transcript.ts';
import type { WorkspaceFile } from '../session-data.ts';
import type { StreamEvent } from '../stream-events.ts';
import { bytesOf } from '../workspace/file-content.ts';
import {
  readWorkspaceFiles,
  type WorkspaceChange,
  WorkspaceWatch,
  workspacePath,
} from '../workspace/workspace-watch.ts';
import type { AgentHome } from './agent-home.ts';
import type { AgentProfile } from './agent-profile.ts';
import { missingTranscripts, readTranscripts } from './restore-transcripts.ts';

/** How a sandbox is created. */
export interface AgentSandboxOptions extends AgentSetting {
  readonly architecture: AgentArchitectureType;
  /** Whether workspace files are copied into the session; by default only outside the user's own home. */
  readonly keepsWorkspace?: boolean | undefined;
}

/** Content of a sandbox before the agent starts. */
export interface SandboxSetup {
  /** Sessions to resume or fork from, by the program's own id. */
  readonly transcripts: ReadonlyMap<string, RawTranscripts>;
  readonly workspaceFiles: readonly WorkspaceFile[];
  readonly agentProfile?: AgentProfile | undefined;
}

/** An agent program in its own home. Differences between programs are left to the adapter. */
export class AgentSandbox {
  readonly #home: AgentHome;
  readonly #adapter: AgentArchitectureAdapter;
  readonly #watch: WorkspaceWatch;
  readonly #keepsWorkspace: boolean;
  #starting: Promise<void> | undefined;

  constructor({ architecture, keepsWorkspace, ...setting }: AgentSandboxOptions) {
    this.#home = setting.home;
    this.#keepsWorkspace = keepsWorkspace ?? setting.home.homeDirectory !== homedir();
    this.#adapter = getAgentArchitectureAdapter(architecture, setting);
    this.#watch = new WorkspaceWatch(setting.home);
  }

  getPaths(): AgentPaths {
    return this.#adapter.getPaths();
  }

  /** Runs once however often it is called; again after a failure or after `stop`. */
  start(setup: SandboxSetup): Promise<void> {
    this.#starting ??= this.#fill(setup).catch((error: unknown) => {
      this.#starting = undefined;
      throw error;
    });
    return this.#starting;
  }

  /** Stops, then starts again and restores what was lost; existing files are not overwritten. */
  async restart(setup: SandboxSetup): Promise<void> {
    await this.stop();
    await this.start(setup);
  }

  async isHealthy(): Promise<boolean> {
    return this.#starting !== undefined && (await this.#home.isHealthy());
  }

  /** Whether its directories exist, started or not. */
  isThere(): Promise<boolean> {
    return this.#home.isHealthy();
  }

  /** How the agent's transcripts are read from disk; `undefined` if they cannot be watched. */
  get source(): TranscriptSource | undefined {
    return this.#adapter.source;
  }

  async *executeQuery(query: AgentQuery): AsyncGenerator<StreamEvent> {
    yield* this.#adapter.executeQuery(query);
  }

  parseTranscripts(raw: RawTranscripts): ParsedTranscript {
    return this.#adapter.parseTranscripts(raw);
  }

  findTranscripts(sessionId: string): Promise<TranscriptFiles> {
    return this.#adapter.findTranscripts(sessionId);
  }

  async readSessionTranscripts(sessionId: string): Promise<RawTranscripts> {
    return readTranscripts(this.#home, await this.#adapter.findTranscripts(sessionId));
  }

  async setupAgentProfile(agentProfile: AgentProfile): Promise<void> {
    await this.#adapter.setupAgentProfile({ agentProfile, writeFile: this.#writeFile });
  }

  readFile(path: string, offset = 0): Promise<Buffer | undefined> {
    return this.#home.readFile(path, offset);
  }

  readWorkspaceFiles(): Promise<readonly WorkspaceFile[]> {
    return readWorkspaceFiles(this.#home);
  }

  async writeWorkspaceFile(path: string, content: string): Promise<void> {
    await this.#home.writeFile(workspacePath(this.#home, path), content);
  }

  async deleteWorkspaceFile(path: string): Promise<void> {
    await this.#home.deleteFile(workspacePath(this.#home, path));
  }

  /** Changes in the workspace since the start or the last check. */
  async checkWorkspace(): Promise<readonly WorkspaceChange[]> {
    return this.#keepsWorkspace ? this.#watch.check() : [];
  }

  /** Ends the program; the next query starts it again. */
  async endProgram(): Promise<void> {
    await this.#adapter.close();
  }

  /** Ends the program and its child processes; files stay. */
  async stop(): Promise<void> {
    await this.#starting?.catch(() => undefined);
    this.#starting = undefined;
    await this.#adapter.close();
    // A home can be shared: other sandboxes may still have programs running in it.
    const users = usersOf(this.#home);
    users.delete(this);
    if (users.size === 0) await this.#home.stop();
  }

  async #fill({ transcripts, workspaceFiles, agentProfile }: SandboxSetup): Promise<void> {
    usersOf(this.#home).add(this);
    await this.#home.start();
    for (const [sessionId, saved] of transcripts) await this.#restore(sessionId, saved);
    if (agentProfile !== undefined) await this.setupAgentProfile(agentProfile);
    const profileFiles = agentProfile?.defaultWorkspaceFiles ?? [];
    await this.#putWorkspaceFiles([...workspaceFiles, ...profileFiles]);
    if (this.#keepsWorkspace) await this.#watch.begin();
  }

  async #restore(sessionId: string, saved: RawTranscripts): Promise<void> {
    const present = await this.readSessionTranscripts(sessionId);
    const missing = missingTranscripts(sessionId, saved, present);
    if (missing === undefined) return;
    const writeFile = this.#writeFile;
    await this.#adapter.setupSessionTranscripts({ sessionId, transcripts: missing, writeFile });
  }

  async #putWorkspaceFiles(files: readonly WorkspaceFile[]): Promise<void> {
    for (const file of files) {
      const place = workspacePath(this.#home, file.path);
      const bytes = bytesOf(file);
      if (bytes === undefined || (await this.#home.readFile(place)) !== undefined) continue;
      await this.#home.writeFile(place, bytes);
    }
  }

  readonly #writeFile = (path: string, content: string) => this.#home.writeFile(path, content);
}

/** Sandboxes that were started in a home and not stopped. */
const USERS = new WeakMap<AgentHome, Set<AgentSandbox>>();

function usersOf(home: AgentHome): Set<AgentSandbox> {
  const known = USERS.get(home) ?? new Set<AgentSandbox>();
  USERS.set(home, known);
  return known;
}
