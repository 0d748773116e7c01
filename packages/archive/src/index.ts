export type {
  Catalogue,
  CatalogueSession,
  CatalogueState,
  DeletionNotice,
  FoundSession,
  ListQuery,
  RefreshOptions,
  RefreshProgress,
  RefreshReport,
  Resolution,
  RunningPlace,
  SearchHit,
  SearchPage,
  SearchQuery,
  SessionFilter,
  SessionPage,
  SessionScope,
  UsageGrouping,
  UsageQuery,
  UsageReport,
  UsageRow,
  UsageSum,
} from './catalogue.ts';
export {
  examineTranscript,
  type ForeignTranscript,
  type RepairedTranscript,
  repairTranscript,
  type TranscriptFault,
} from './doctor/repair-transcript.ts';
export {
  LabelFile,
  type LabelledSession,
  type SessionLabel,
  type SessionLabels,
} from './labels.ts';
export { type DeletedSession, DeletionLedger, type LedgerRequest } from './ledger.ts';
export type {
  ArchiveNode,
  ClaimOptions,
  GivenAnswer,
  NodeEvents,
  SessionClaim,
} from './nodes/archive-node.ts';
export type {
  ArchivedLine,
  ArchivedSession,
  Following,
  FollowParts,
  InboxEnd,
  InboxItem,
  InboxReceipt,
  OpenedArchive,
  SharedArchive,
} from './nodes/shared-archive.ts';
export {
  identifyProject,
  type KnownRepositories,
  type ProjectIdentity,
} from './reading/project-identity.ts';
export { type Budget, type BudgetState, checkBudget, parseBudget } from './usage/budget.ts';
