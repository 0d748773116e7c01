export { AgentTranscripts, type AgentTranscriptsParts } from './agent-transcripts.ts';
export { parseArchiveKey } from './archive-cipher.ts';
export {
  PostgresCatalogue,
  type PostgresCatalogueOptions,
} from './catalogue/postgres-catalogue.ts';
export type { LeaseClock } from './node-lease.ts';
export { PostgresArchive, type PostgresArchiveOptions } from './postgres-archive.ts';
export { PostgresNode, type PostgresNodeOptions } from './postgres-node.ts';
export { type ArchiveCheck, checkArchive } from './upkeep/check.ts';
export {
  type CopiedSession,
  exportSession,
  idsInFolders,
  importSession,
  type SessionFolders,
} from './upkeep/copy-files.ts';
export { moveSession } from './upkeep/move.ts';
export { type PruneOptions, type PruneReport, pruneArchive } from './upkeep/prune.ts';
export { type ArchiveStats, statsOf } from './upkeep/stats.ts';
