import type { AssembledSessionOptions, HostedSession, LiveSession } from '@robota-sdk/agent-sdk';

/** What an editor brings with a session: servers, directories, its buffers and terminals. */
export interface EditorOptions {
  readonly mcpServers: NonNullable<AssembledSessionOptions['mcpServers']>;
  readonly additionalDirectories: readonly string[];
  readonly aroundSandbox?: AssembledSessionOptions['aroundSandbox'];
}

/** What an editor wants of a new session. */
export interface NewEditorSession extends EditorOptions {
  readonly sessionId: string;
  readonly cwd: string;
}

/** One line of an editor's list. */
export type ListedSession = Pick<HostedSession, 'id' | 'cwd' | 'name' | 'preview' | 'updatedAt'>;

/** Port: where the sessions of editors come from. Errors bear the codes of the wire. */
export interface AcpSessionSource {
  readonly takesImages: boolean;
  /** Whether MCP servers of an editor reach the agent. */
  readonly takesServers: boolean;
  create(request: NewEditorSession): Promise<LiveSession>;
  /** A session that is open, or a saved one brought back. */
  open(sessionId: string, options: EditorOptions): Promise<LiveSession>;
  list(cwd: string | undefined): Promise<readonly ListedSession[]>;
  /** The editor needs it no more; who shares it goes on. */
  close(session: LiveSession): Promise<void>;
  /** The editor has gone without a word; absent where nothing is held for it. */
  readonly leave?: ((session: LiveSession) => Promise<void>) | undefined;
  /** Ends a session and erases it; absent where nothing is erased. */
  readonly remove?: ((sessionId: string) => Promise<void>) | undefined;
}
