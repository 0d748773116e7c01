/** The type names of the specifications, for code written against them. */
export type { ToolResult as TToolResult } from './tool-result.ts';
