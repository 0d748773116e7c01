import type { HandOverOptions } from '@robota-sdk/agent-sdk';
import type { ConversationState } from '@robota-sdk/agent-transcript';
import type { Identity } from '../admission/roles.ts';
import type { ServedCatalogue } from '../live/session-directory.ts';
import type { SessionRow } from '../protocol.ts';

/** What a server offers beside its sessions; each part comes from whoever starts it. */
export interface ServerParts {
  readonly catalogue?: ServedCatalogue | undefined;
  /** The built page; without it a sentence says where the API is. */
  readonly page?: PageSource | undefined;
  /** MCP at `/mcp`. */
  readonly mcp?: McpEndpoint | undefined;
  /** Makes a file of a session, secrets taken out already. */
  readonly exporter?: SessionExporter | undefined;
  /** Paths below a directory, to be named in prompts. */
  readonly listFiles?: ((directory: string) => Promise<readonly string[]>) | undefined;
  /** Models that can be asked for, by agent. */
  readonly listModels?: ((agent: string) => Promise<readonly string[]>) | undefined;
  /** Where agents keep their sessions; the user's own home unless given. */
  readonly handOverPlace?: HandOverOptions['place'];
  /** What the server calls itself. */
  readonly about?: { readonly node: string; readonly version: string } | undefined;
}

/** Where the files of the page come from. */
export interface PageSource {
  find(
    path: string,
    acceptEncoding?: string,
  ): { readonly headers: Readonly<Record<string, string>>; readonly body: Uint8Array } | undefined;
}

/** The way in for MCP clients, beside the API. */
export interface McpEndpoint {
  fetch(request: Request, identity: Identity): Promise<Response>;
  close(): Promise<void>;
}

export const EXPORT_FORMATS = ['html', 'markdown', 'json'] as const;
/** How a session is written for somebody to keep. */
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/** Writes a session in a format that somebody asked for. */
export type SessionExporter = (
  session: SessionRow,
  conversation: ConversationState,
  format: ExportFormat,
) => Promise<string>;
