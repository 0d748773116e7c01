export { getAgentArchitectureAdapter } from './agent-architecture-adapter.ts';
export type { FindOptions } from './find-agent-sessions.ts';
export { findAgentSessions, isAgentArchitecture, resumeCommand } from './find-agent-sessions.ts';
export { parseTranscriptFile } from './parse-transcript-file.ts';
export { readLastBlocks } from './read-last-blocks.ts';
export type { FinderPlace, FoundTranscript, SessionFinder } from './session-finder.ts';
export type { SubagentFile, TranscriptLayout } from './transcript-layout.ts';
