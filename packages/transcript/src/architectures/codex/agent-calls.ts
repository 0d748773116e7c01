import type { SubagentBlock } from '../../blocks.ts';
import { asId, asRecord, asString, compact, type JsonRecord } from '../../json-record.ts';
import {
  type AgentReport,
  type AgentState,
  agentNameOf,
  startedAgent,
  statesOf,
  toAgentState,
  withAgentState,
} from './agent-status.ts';
import type { BlockSequence } from './block-sequence.ts';
import type { RecordPlace } from './record-place.ts';
import { parseObject } from './tool-output.ts';

/** Tracks the agents a thread starts: ids, names, states and output. */
export class AgentCalls {
  readonly #blocks: BlockSequence;
  /** Block positions by call id, agent id and agent path. */
  readonly #places = new Map<string, number>();

  constructor(blocks: BlockSequence) {
    this.#blocks = blocks;
  }

  has(callId: string): boolean {
    return this.#places.has(callId);
  }

  start(toolUseId: string, input: JsonRecord, at: RecordPlace): void {
    const block = startedAgent({ toolUseId, timestamp: at.timestamp, input });
    this.#places.set(toolUseId, this.#blocks.push(block, at.ordinal));
  }

  /** The result of the call: the started agent, or why it failed. */
  readResult(callId: string, output: unknown): void {
    const readResult = typeof output === 'string' ? parseObject(output) : asRecord(output);
    const agentId = asId(readResult?.agent_id);
    const path = asId(readResult?.task_name);
    if (agentId === undefined && path === undefined) {
      const error = typeof output === 'string' ? output : undefined;
      this.#change(callId, (block) =>
        isNamed(block)
          ? block
          : withAgentState(block, compact({ status: 'error' as const, output: error })),
      );
      return;
    }
    const name = asString(readResult?.nickname) ?? agentNameOf(path);
    this.#identify(callId, { agentId, path, name });
  }

  readReport(callId: string, { agentId, name, states }: AgentReport): void {
    if (this.has(callId) && agentId !== undefined) this.#identify(callId, { agentId, name });
    for (const [id, state] of states) this.#update(id, state);
  }

  /** Activity of another agent, as the second tool set reports it. */
  readActivity(callId: string, fields: JsonRecord): void {
    const agentId = asId(fields.agent_thread_id);
    const path = asId(fields.agent_path);
    if (this.has(callId)) this.#identify(callId, { agentId, path, name: agentNameOf(path) });
    this.#update(agentId ?? path ?? '', toAgentState(fields.kind));
  }

  /** The result of the tool that waits for agents. */
  readWaitResult(output: unknown): void {
    if (typeof output !== 'string' || !output.startsWith('{"status"')) return;
    for (const [id, state] of statesOf(parseObject(output)?.status)) this.#update(id, state);
  }

  /** A readNotice the program sends to the model as a user message. */
  readNotice(text: string): void {
    const [from, to] = [text.indexOf('{'), text.lastIndexOf('}')];
    const readNotice = from === -1 ? undefined : parseObject(text.slice(from, to + 1));
    const agent = asId(readNotice?.agent_path) ?? asId(readNotice?.agent_id);
    if (agent !== undefined) this.#update(agent, toAgentState(readNotice?.status));
  }

  #identify(
    callId: string,
    known: {
      readonly agentId?: string | undefined;
      readonly path?: string | undefined;
      readonly name?: string | undefined;
    },
  ): void {
    const place = this.#places.get(callId);
    if (place === undefined) return;
    for (const alias of [known.agentId, known.path]) {
      if (alias !== undefined) this.#places.set(alias, place);
    }
    this.#change(callId, (block) =>
      compact({
        ...block,
        subagentId: known.agentId ?? block.subagentId,
        name: known.name ?? block.name,
        status: block.status === 'pending' ? ('running' as const) : block.status,
        metadata:
          known.path === undefined ? block.metadata : { ...block.metadata, agentPath: known.path },
      }),
    );
  }

  #update(agent: string, state: AgentState): void {
    this.#change(agent, (block) => withAgentState(block, state));
  }

  #change(key: string, change: (block: SubagentBlock) => SubagentBlock): void {
    const place = this.#places.get(key);
    const block = place === undefined ? undefined : this.#blocks.get(place);
    if (place !== undefined && block?.type === 'subagent') this.#blocks.set(place, change(block));
  }
}

function isNamed(block: SubagentBlock): boolean {
  return block.subagentId !== block.toolUseId;
}
