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

/** Follows the agents a thread starts: their ids, names, states and last words. */
export class AgentCalls {
  readonly #blocks: BlockSequence;
  /** The places of the blocks by call id, by agent id and by agent path. */
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

  /** The answer of the call: who was started, or why nobody was. */
  answer(callId: string, output: unknown): void {
    const answer = typeof output === 'string' ? parseObject(output) : asRecord(output);
    const agentId = asId(answer?.agent_id);
    const path = asId(answer?.task_name);
    if (agentId === undefined && path === undefined) {
      const said = typeof output === 'string' ? output : undefined;
      this.#change(callId, (block) =>
        isNamed(block)
          ? block
          : withAgentState(block, compact({ status: 'error' as const, output: said })),
      );
      return;
    }
    const name = asString(answer?.nickname) ?? agentNameOf(path);
    this.#identify(callId, { agentId, path, name });
  }

  report(callId: string, { agentId, name, states }: AgentReport): void {
    if (this.has(callId) && agentId !== undefined) this.#identify(callId, { agentId, name });
    for (const [id, state] of states) this.#learn(id, state);
  }

  /** Something another agent did, as the second tool set tells it. */
  activity(callId: string, fields: JsonRecord): void {
    const agentId = asId(fields.agent_thread_id);
    const path = asId(fields.agent_path);
    if (this.has(callId)) this.#identify(callId, { agentId, path, name: agentNameOf(path) });
    this.#learn(agentId ?? path ?? '', toAgentState(fields.kind));
  }

  /** What the tool that waits for agents answered. */
  waited(output: unknown): void {
    if (typeof output !== 'string' || !output.startsWith('{"status"')) return;
    for (const [id, state] of statesOf(parseObject(output)?.status)) this.#learn(id, state);
  }

  /** A notice the program puts before the model in the person's name. */
  notice(text: string): void {
    const notice = parseObject(/\{.*\}/s.exec(text)?.[0] ?? '');
    const agent = asId(notice?.agent_path) ?? asId(notice?.agent_id);
    if (agent !== undefined) this.#learn(agent, toAgentState(notice?.status));
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

  #learn(agent: string, state: AgentState): void {
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
