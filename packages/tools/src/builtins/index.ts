/** The built-in tools without snapshots and MCP, which few sessions need at start-up; part of the root entry. */

export { findConfinement } from '../confinement/find-confinement.ts';
export { createSchemaTool } from '../function-tool/create-schema-tool.ts';
export { createLocalSandbox } from '../local-sandbox.ts';
export { bashTool, createBashTool } from './bash.ts';
export { createEditTool, editTool } from './edit.ts';
export { createGlobTool, globTool } from './glob.ts';
export { createGrepTool, grepTool } from './grep.ts';
export { createReadTool, readTool } from './read.ts';
export { createWebFetchTool, webFetchTool } from './web-fetch.ts';
export { createWebSearchTool, webSearchTool } from './web-search.ts';
export { createWriteTool, writeTool } from './write.ts';
