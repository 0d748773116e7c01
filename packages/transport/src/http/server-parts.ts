import type { HandOverOptions } from '@robota-sdk/agent-sdk';
import type { ConversationState } from '@robota-sdk/agent-transcript';
import type { Identity } from '../admission/roles.ts';
import type { ServedCatalogue } from '../live/session-directory.ts';
import type { SessionRow } from '../protocol.ts';

/** What a server offers besides its sessions; supplied by the program that starts it. */
export interface ServerParts {
  readonly catalogue?: ServedCatalogue | undefined;
  /** The built web page; without it, `/` only names the API. */
  readonly page?: PageSource | undefined;
  /** MCP at `/mcp`. */
  readonly mcp?: McpEndpoint | undefined;
  /** Exports an already redacted session as a file. */
  readonly exporter?: SessionExporter | undefined;
  /** Paths below a directory, for completion in prompts. */
  readonly listFiles?: ((directory: string) => Promise<readonly string[]>) | undefined;
  /** Available models of an agent. */
  readonly listModels?: ((agent: string) => Promise<readonly string[]>) | undefined;
  /** Where agents keep their sessions; the user's home by default. */
  readonly handOverPlace?: HandOverOptions['place'];
  /** The server's node name and version. */
  readonly about?: { readonly node: string; readonly version: string } | undefined;
}

/** Source of the web page's files. */
export interface PageSource {
  find(
    path: string,
    acceptEncoding?: string,
  ): { readonly headers: Readonly<Record<string, string>>; readonly body: Uint8Array } | undefined;
}

/** Handles MCP requests next to the API. */
export interface McpEndpoint {
  fetch(request: Request, identity: Identity): Promise<Response>;
  close(): Promise<void>;
}

export const EXPORT_FORMATS = ['html', 'markdown', 'json'] as const;
/** A file format of an exported session. */
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/** Writes a session in the requested format. */
export type SessionExporter = (
  session: SessionRow,
  conversation: ConversationState,
  format: ExportFormat,
) => Promise<string>;
