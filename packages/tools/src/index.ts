export type { BashToolOptions } from './builtins/bash.ts';
export { bashTool, createBashTool } from './builtins/bash.ts';
export { createEditTool, editTool } from './builtins/edit.ts';
export type { GlobToolOptions } from './builtins/glob.ts';
export { createGlobTool, globTool } from './builtins/glob.ts';
export type { GrepToolOptions } from './builtins/grep.ts';
export { createGrepTool, grepTool } from './builtins/grep.ts';
export { createReadTool, readTool } from './builtins/read.ts';
export type { WebFetchToolOptions } from './builtins/web-fetch.ts';
export { createWebFetchTool, webFetchTool } from './builtins/web-fetch.ts';
export type { WebSearchToolOptions } from './builtins/web-search.ts';
export { createWebSearchTool, webSearchTool } from './builtins/web-search.ts';
export type { WorkspaceToolOptions } from './builtins/workspace-tool-options.ts';
export { createWriteTool, writeTool } from './builtins/write.ts';
export type {
  Confinement,
  ConfinementKind,
  ConfinementState,
} from './confinement/confinement.ts';
export { findConfinement } from './confinement/find-confinement.ts';
export type { PlainFile, PlainFileOptions } from './files/read-plain-file.ts';
export { readPlainFile } from './files/read-plain-file.ts';
export type { SchemaTool } from './function-tool/create-schema-tool.ts';
export { createSchemaTool } from './function-tool/create-schema-tool.ts';
export type { ZodToolFunction } from './function-tool/create-zod-function-tool.ts';
export { createZodFunctionTool } from './function-tool/create-zod-function-tool.ts';
export type { FunctionToolOptions, ToolFunction } from './function-tool/function-tool.ts';
export { FunctionTool } from './function-tool/function-tool.ts';
export type { ParametersOf } from './function-tool/parameters-of.ts';
export { zodToJsonSchema } from './function-tool/zod-schema.ts';
export type { LocalRunOptions, LocalSandboxOptions, SandboxSetting } from './local-sandbox.ts';
export { createLocalSandbox } from './local-sandbox.ts';
export type { McpTools } from './mcp/connect-mcp-server.ts';
export { connectMcpServer } from './mcp/connect-mcp-server.ts';
export type { McpPrompt, McpResource } from './mcp/mcp-content.ts';
export type { McpServerConfig } from './mcp/mcp-server-config.ts';
export type {
  CommandBackground,
  CommandScope,
  MovedCommand,
  ReadyCommand,
} from './process/command-background.ts';
export { boundSnapshots } from './snapshots/bound-snapshots.ts';
export type { FileReport, FileTrackerOptions, TrackedCall } from './snapshots/file-tracker.ts';
export { FileTracker } from './snapshots/file-tracker.ts';
export { partsOf } from './snapshots/file-version.ts';
export { ObjectFolder } from './snapshots/object-folder.ts';
export type { FileSwap, SwappedFiles } from './snapshots/swap-files.ts';
export { settleSwap, swapFiles } from './snapshots/swap-files.ts';
export type { TToolResult } from './spec-names.ts';
export { toolEnvironment } from './tool-environment.ts';
export type { ToolResult } from './tool-result.ts';
export type { BraveWebSearchOptions } from './web/adapters/brave.ts';
export { BraveWebSearch } from './web/adapters/brave.ts';
export type { WebSearch, WebSearchQuery, WebSearchResult } from './web/web-search.ts';
