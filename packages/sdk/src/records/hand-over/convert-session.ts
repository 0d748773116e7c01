import { randomUUID } from 'node:crypto';
import { homedir } from 'node:os';
import type { SessionRecordStore } from '@robota-sdk/agent-session';
import {
  type ConversationFacts,
  compactSteps,
  compareFacts,
  estimateTokens,
  type FinderPlace,
  factsOf,
  type HandOverStep,
  type NewTranscript,
  parseTranscriptFile,
  registeredAgent,
  registeredAgents,
  resumeCommand,
  type TranscriptWriter,
  toSteps,
  writeNewFile,
} from '@robota-sdk/agent-transcript/architectures';
import { toAgentName, toAgentType } from '@robota-sdk/agent-transcript/blocks';
import { createProjectSessionStore } from '../project-session-store.ts';
import { countSource, reportOf, type SourceCounts } from './count-source.ts';
import { readForkRecord, toForkRecord, toForkStart } from './fork-source.ts';
import {
  announceFile,
  confirmFile,
  type HandOverManifest,
  withdrawFile,
} from './hand-over-manifest.ts';
import type { HandOverReport } from './hand-over-report.ts';
import {
  type HandOverOptions,
  type HandOverResult,
  HandOverTargetError,
  type PlannedHandOver,
} from './hand-over-request.ts';
import { type ReadSource, readSource } from './source-session.ts';

/** Implements `handOver`. */
export async function convertSession(options: HandOverOptions): Promise<HandOverResult> {
  const target = targetOf(options.to);
  const source = await readSource(options.from, options.place ?? {});
  const now = options.now?.() ?? new Date();
  const cwd = options.cwd ?? source.cwd ?? process.cwd();
  const session = { id: randomUUID(), cwd, now, origin: source.origin };
  const full = options.full === true;
  const allSteps = toSteps(source.parsed.blocks, { full });
  const { writer } = target;
  const contextTokens = writer?.contextTokens ?? OUR_CONTEXT_TOKENS;
  const counts = countSource(source.parsed, allSteps, { full, target: target.name });
  const isTooLong = counts.estimatedTokens > contextTokens * MAX_CONTEXT_SHARE;
  const { whenTooLong } = options;
  const steps =
    isTooLong && typeof whenTooLong === 'object'
      ? await compactSteps(allSteps, { ...whenTooLong, keepTokens: contextTokens / 4 })
      : allSteps;
  const conversion = {
    target,
    source,
    session,
    steps,
    counts: steps === allSteps ? counts : withSummary(counts, allSteps, steps),
    facts: factsOf(steps),
  };
  if (options.dryRun) return { ...planOf(conversion), status: 'planned' };
  if (isTooLong && whenTooLong === undefined) {
    return {
      ...planOf(conversion),
      status: 'too_long',
      contextTokens,
      message: `The session takes about ${counts.estimatedTokens} tokens, and models of ${target.title} read about ${contextTokens}. It can be summarised first, or left to ${target.title} to compact.`,
    };
  }
  if (writer === undefined)
    return forkOf(conversion, options.store ?? createProjectSessionStore(cwd));
  return writeSession(
    { ...conversion, writer },
    { home: homedir(), environment: process.env, ...options.place },
  );
}

/** Assumed for our own engine, which compacts by itself for any model. */
const OUR_CONTEXT_TOKENS = 200_000;
/** The rest is for instructions, tools and the next prompt. */
const MAX_CONTEXT_SHARE = 0.8;

function withSummary(
  counts: SourceCounts,
  allSteps: readonly HandOverStep[],
  steps: readonly HandOverStep[],
): SourceCounts {
  const loss = {
    how: 'as_text',
    what: 'prompts and answers before the end',
    count: allSteps.length - steps.length + 1,
    reason: 'a summary stands for them, because the session is too long for the target',
  } as const;
  return { losses: [...counts.losses, loss], estimatedTokens: estimateTokens(steps) };
}

interface Conversion {
  readonly target: HandOverTarget;
  readonly source: ReadSource;
  readonly session: NewTranscript;
  readonly steps: readonly HandOverStep[];
  readonly counts: SourceCounts;
  readonly facts: ConversationFacts;
}

interface HandOverTarget {
  readonly type: string;
  readonly name: string;
  readonly title: string;
  readonly writer: TranscriptWriter | undefined;
}

function targetOf(to: string): HandOverTarget {
  const type = toAgentType(to);
  if (type === undefined) throw new HandOverTargetError(to, possibleTargets());
  const { title, writer } = registeredAgent(type);
  const name = toAgentName(type);
  if (writer === undefined && name !== OURS) throw new HandOverTargetError(to, possibleTargets());
  return { type, name, title, writer };
}

const OURS = 'robota';

function possibleTargets(): string[] {
  const written = registeredAgents().filter(({ writer }) => writer);
  return [...written.map(({ name }) => name), OURS];
}

/** Parses the lines that would be written, without writing them. */
function planOf(conversion: Conversion): PlannedHandOver {
  const { target, session, steps, source, facts, counts } = conversion;
  const back =
    target.writer === undefined
      ? readForkRecord(toForkRecord(steps, session, source.parsed.blocks))
      : readLines(target, target.writer.lines(steps, session));
  return plannedWith(conversion, reportOf(counts, compareFacts(facts, factsOf(back))));
}

function readLines({ type }: HandOverTarget, lines: Iterable<string>): HandOverStep[] {
  const reader = registeredAgent(type).parser.start();
  for (const line of lines) reader.line(line);
  return toSteps(reader.end().blocks);
}

function plannedWith(
  { session, source, target }: Pick<Conversion, 'session' | 'source' | 'target'>,
  report: HandOverReport,
): PlannedHandOver {
  const { id, cwd } = session;
  return { id, from: source.origin, to: target.name, cwd, report };
}

function forkOf(conversion: Conversion, store: SessionRecordStore): HandOverResult {
  const { source, session, steps } = conversion;
  const plan = { ...planOf(conversion), id: source.origin.id };
  if (source.origin.agent === OURS) {
    const start = {
      resumeSessionId: source.origin.id,
      forkSession: true,
      sessionStore: store,
    } as const;
    return { ...plan, status: 'ready', start };
  }
  const record = toForkRecord(steps, session, source.parsed.blocks);
  return { ...plan, status: 'ready', start: toForkStart(record, store) };
}

async function writeSession(
  conversion: Conversion & { readonly writer: TranscriptWriter },
  place: FinderPlace,
): Promise<HandOverResult> {
  const { writer, target, source, session, steps, facts, counts } = conversion;
  const file = await writer.place(session, place);
  const manifest: HandOverManifest = {
    version: 1,
    at: session.now.toISOString(),
    source: { agent: source.origin.agent, id: source.origin.id, path: source.path },
    target: { agent: target.name, id: session.id },
    file,
  };
  await announceFile(manifest);
  try {
    await confirmFile(manifest, await writeNewFile(file, writer.lines(steps, session)));
  } catch (error) {
    await withdrawFile(manifest);
    throw error;
  }
  const { blocks } = await parseTranscriptFile(target.type, file);
  const report = reportOf(counts, compareFacts(facts, factsOf(toSteps(blocks))));
  const resume = resumeCommand(target.type, session.id);
  return { ...plannedWith(conversion, report), status: 'written', file, resume };
}
