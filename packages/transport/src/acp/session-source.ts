import type { AssembledSessionOptions, HostedSession, LiveSession } from '@robota-sdk/agent-sdk';

/** What an editor provides for a session: MCP servers, directories, buffers and terminals. */
export interface EditorOptions {
  readonly mcpServers: NonNullable<AssembledSessionOptions['mcpServers']>;
  readonly additionalDirectories: readonly string[];
  readonly aroundSandbox?: AssembledSessionOptions['aroundSandbox'];
}

/** A request for a new session. */
export interface NewEditorSession extends EditorOptions {
  readonly sessionId: string;
  readonly cwd: string;
}

/** A session as editors list it. */
export type ListedSession = Pick<HostedSession, 'id' | 'cwd' | 'name' | 'preview' | 'updatedAt'>;

/** Port: where an editor's sessions come from. Errors carry wire error codes. */
export interface AcpSessionSource {
  readonly takesImages: boolean;
  /** Whether the agent can use the editor's MCP servers. */
  readonly takesServers: boolean;
  create(request: NewEditorSession): Promise<LiveSession>;
  /** An open session, or a saved one resumed. */
  open(sessionId: string, options: EditorOptions): Promise<LiveSession>;
  list(cwd: string | undefined): Promise<readonly ListedSession[]>;
  /** The editor closed the session; other clients keep it. */
  close(session: LiveSession): Promise<void>;
  /** The editor disconnected without closing the session; absent where nothing is held for it. */
  readonly leave?: ((session: LiveSession) => Promise<void>) | undefined;
  /** Ends and deletes a session; absent where deleting is not supported. */
  readonly remove?: ((sessionId: string) => Promise<void>) | undefined;
}
