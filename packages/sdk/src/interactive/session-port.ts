import type {
  ContextWindowState,
  Message,
  PermissionMode,
  Tool,
  ToolSchema,
} from '@robota-sdk/agent-core';
import type { PromptExtras } from '@robota-sdk/agent-session';

/**
 * Port: the session underneath an `InteractiveSession`, normally the class `Session`; any object with the required
 * methods will do. `run` rejects with an `AbortError` when it was aborted, and with the failure when it failed.
 */
export interface SessionPort {
  run(message: string, rawInput?: string, extras?: PromptExtras): Promise<string>;
  abort(): void;
  getHistory(): Message[];
  getContextState(): ContextWindowState;
  clearHistory(): void;
  getPermissionMode(): PermissionMode;
  setPermissionMode(mode: PermissionMode): void;
  getSessionId(): string;
  getMessageCount(): number;
  getSessionAllowedTools(): string[];
  compact(instructions?: string): Promise<void>;
  injectMessage(role: 'user' | 'assistant' | 'system', content: string): void;
  getSystemMessage?(): string | null;
  getToolSchemas?(): readonly ToolSchema[];
  /** Keeps tool calls, results and thinking; without it tool pairs are dropped on resume. */
  restoreMessages?(messages: readonly Message[]): void;
  updateSystemMessage?(text: string): void;
  /** Replaces the tools from the next request on. */
  setTools?(tools: readonly Tool[]): void;
  setModel?(model: string): void;
  getModel?(): string;
  clearSessionAllowedTools?(): void;
  /** False when there was no such grant. */
  revokeSessionGrant?(grant: string): boolean;
  rename?(name: string): Promise<void> | void;
  shutdown?(options?: { readonly reason?: string | undefined }): Promise<void>;
}
