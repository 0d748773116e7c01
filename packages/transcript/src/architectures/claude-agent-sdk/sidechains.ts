import { asId, type JsonRecord } from '../../json-record.ts';
import type { OnSkipped } from './claude-record.ts';
import type { FoundThread } from './link-subagents.ts';
import { bareAgentId } from './subagent-block.ts';
import { ThreadReading } from './thread-reading.ts';

/** Groups the subagent lines that old versions write into the main file by thread. */
export class Sidechains {
  readonly #threads = new Map<string, FoundThread>();
  readonly #keys = new Map<string, string>();
  readonly #onSkipped: OnSkipped;

  constructor(onSkipped: OnSkipped) {
    this.#onSkipped = onSkipped;
  }

  /** A line belongs to the agent it names, or else to the thread of its parent. */
  add(line: JsonRecord, offset: number): void {
    const agentId = asId(line.agentId);
    const uuid = asId(line.uuid) ?? `sidechain:${this.#keys.size}`;
    const id = agentId === undefined ? undefined : bareAgentId(agentId);
    const key = id ?? this.#keys.get(asId(line.parentUuid) ?? '') ?? uuid;
    this.#keys.set(uuid, key);
    const thread = this.#threads.get(key) ?? { id, reading: new ThreadReading(this.#onSkipped) };
    this.#threads.set(key, thread);
    thread.reading.add(line, offset);
  }

  threads(): readonly FoundThread[] {
    return [...this.#threads.values()];
  }
}
