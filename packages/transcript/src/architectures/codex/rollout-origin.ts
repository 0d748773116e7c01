import { asNumber, asRecord, asString, type JsonRecord } from '../../json-record.ts';

/** The history a rollout continues: the lines of another rollout up to a number. */
export interface HistoryBase {
  readonly rolloutId: string;
  readonly endOrdinal: number;
}

export function historyBaseOf(meta: JsonRecord): HistoryBase | undefined {
  const base = asRecord(meta.history_base);
  const rolloutId = asString(base.thread_id) ?? asString(base.rollout_id);
  const endOrdinal = asNumber(base.end_ordinal_exclusive);
  if (rolloutId === undefined) return undefined;
  return { rolloutId, endOrdinal: endOrdinal ?? Number.POSITIVE_INFINITY };
}

export function agentPathOf(meta: JsonRecord): string | undefined {
  const spawn = asRecord(asRecord(asRecord(meta.source).subagent).thread_spawn);
  return asString(meta.agent_path) ?? asString(spawn.agent_path);
}

export function nicknameOf(meta: JsonRecord): string | undefined {
  return asString(meta.agent_nickname) ?? asString(meta.agent_role);
}
