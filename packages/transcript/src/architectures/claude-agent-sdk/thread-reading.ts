import { asId, asRecord, asString, type JsonRecord } from '../../json-record.ts';
import type { SupersededBranch } from '../../parsed-transcript.ts';
import { UniqueIds } from '../../unique-ids.ts';
import { type Assembly, assembleBlocks, type SubagentCall } from './assemble-blocks.ts';
import { assistantPieces } from './assistant-pieces.ts';
import { attachmentPieces } from './attachment-pieces.ts';
import type { ClaudeRecord, OnSkipped, Piece } from './claude-record.ts';
import { readTree, type TreeNode } from './conversation-tree.ts';
import { MessageOrdinals } from './message-ordinals.ts';
import { RequestLedger } from './request-ledger.ts';
import { systemPieces } from './system-pieces.ts';
import { userPieces } from './user-pieces.ts';

/** Reads the lines of one conversation, the main one or a subagent's. */
export class ThreadReading {
  readonly requests = new RequestLedger();
  readonly #nodes: TreeNode[] = [];
  readonly #positions = new Map<string, number>();
  readonly #agentCalls = new Set<string>();
  readonly #ordinals = new MessageOrdinals();
  readonly #onSkipped: OnSkipped;
  #timestamp = new Date(0).toISOString();

  constructor(onSkipped: OnSkipped) {
    this.#onSkipped = onSkipped;
  }

  /** The first message, by which an agent without an id is matched to its call. */
  get prompt(): string | undefined {
    for (const { pieces } of this.#nodes) {
      const first = pieces[0];
      if (first?.kind !== 'block' || first.block.type !== 'user_message') continue;
      return typeof first.block.content === 'string' ? first.block.content : undefined;
    }
    return undefined;
  }

  get isEmpty(): boolean {
    return this.#nodes.length === 0;
  }

  /** The time of the last line. */
  get timestamp(): string {
    return this.#timestamp;
  }

  /** A repeated uuid is a copy of the same line and ignored. */
  add(line: JsonRecord, offset = NO_OFFSET): void {
    this.#timestamp = asString(line.timestamp) ?? this.#timestamp;
    const uuid = asId(line.uuid) ?? `line:${this.#nodes.length}`;
    const message = asRecord(line.message);
    if (line.type === 'assistant') this.requests.record(line, message, offset);
    if (this.#positions.has(uuid)) return;
    this.#positions.set(uuid, this.#nodes.length);
    const record: ClaudeRecord = { uuid, timestamp: this.#timestamp, source: line, message };
    this.#nodes.push(this.#toNode(record, this.#dropStructured(this.#piecesOf(record)), offset));
  }

  assemble(bridgeHoles = true): ThreadAssembly {
    const { kept, branches } = readTree(this.#nodes, this.#positions, bridgeHoles);
    const ids = new UniqueIds();
    const main = assembleBlocks(kept, ids);
    const positions = branches.length === 0 ? new Map<TreeNode, number>() : positionsOf(kept);
    const superseded: SupersededBranch[] = [];
    const calls = [...main.calls.values()];
    for (const branch of branches) {
      const assembly = assembleBlocks(branch.nodes, ids);
      for (const call of assembly.calls.values()) calls.push(call);
      if (assembly.blocks.length === 0) continue;
      const place = branch.after === undefined ? undefined : positions.get(branch.after);
      superseded.push({
        reason: branch.reason,
        afterBlockId: place === undefined ? null : lastBlockAt(main, place),
        blocks: assembly.blocks,
      });
    }
    return { main, kept, superseded, calls };
  }

  #piecesOf(record: ClaudeRecord): Piece[] {
    switch (record.source.type) {
      case 'user':
        return userPieces(record, this.#onSkipped);
      case 'assistant':
        return assistantPieces(record, { ordinals: this.#ordinals, onSkipped: this.#onSkipped });
      case 'system':
        return systemPieces(record, this.#onSkipped);
      case 'attachment':
        return attachmentPieces(record, this.#onSkipped);
      default:
        return [];
    }
  }

  /** Drops structured results, which can be large and are only used for subagents. */
  #dropStructured(pieces: Piece[]): Piece[] {
    for (const [index, piece] of pieces.entries()) {
      if (piece.kind === 'block' && piece.block.type === 'subagent') {
        this.#agentCalls.add(piece.block.toolUseId ?? '');
      }
      if (piece.kind === 'tool_result' && !this.#agentCalls.has(piece.block.toolUseId)) {
        pieces[index] = { kind: 'tool_result', block: piece.block, structured: undefined };
      }
    }
    return pieces;
  }

  #toNode({ uuid, source, message }: ClaudeRecord, pieces: Piece[], offset: number): TreeNode {
    const type = source.type === 'user' || source.type === 'assistant' ? source.type : 'other';
    return {
      uuid,
      offset,
      parent: parentOf(source),
      type,
      messageId: type === 'assistant' ? asId(message.id) : undefined,
      askedBy: asString(source.sourceToolAssistantUUID),
      answers: type === 'other' ? NO_ANSWERS : answersOf(pieces),
      pieces,
    };
  }
}

/** For lines without a known offset. */
const NO_OFFSET = -1;

const NO_ANSWERS: readonly string[] = [];

function answersOf(pieces: readonly Piece[]): readonly string[] {
  if (!pieces.some((piece) => piece.kind === 'tool_result')) return NO_ANSWERS;
  return pieces.flatMap((piece) => (piece.kind === 'tool_result' ? [piece.block.toolUseId] : []));
}

export interface ThreadAssembly {
  readonly main: Assembly;
  readonly kept: readonly TreeNode[];
  readonly superseded: readonly SupersededBranch[];
  readonly calls: readonly SubagentCall[];
}

/** A compaction starts a new chain, linked to the conversation before it by its logical parent. */
function parentOf(source: JsonRecord): string | undefined {
  const parent = asString(source.parentUuid);
  if (parent !== undefined) return parent;
  const isCompaction = source.subtype === 'compact_boundary' || source.isCompactSummary === true;
  return isCompaction ? (asString(source.logicalParentUuid) ?? UNKNOWN_PARENT) : undefined;
}

/** No line has this uuid, so the previous line is used. */
const UNKNOWN_PARENT = '';

function positionsOf(nodes: readonly TreeNode[]): Map<TreeNode, number> {
  return new Map(nodes.map((node, index) => [node, index]));
}

/** The last block up to and including the line at `place`. */
function lastBlockAt({ blocks, offsets }: Assembly, place: number): string | null {
  const end = offsets[place + 1] ?? blocks.length;
  return blocks[end - 1]?.id ?? null;
}
