import type {
  AssistantMessage,
  Message,
  ProviderNativeRawPayload,
  SessionLogEntry,
} from '@robota-sdk/agent-core';
import type { Exchange, RecordedEvent } from './exchange.ts';

/** The model requests of a log in order, each with everything recorded for its execution and round. */
export function readExchanges(entries: readonly SessionLogEntry[]): readonly Exchange[] {
  const drafts: Draft[] = [];
  const byRound = new Map<string, Draft>();
  for (const entry of entries) {
    const key = `${String(entry.executionId)}:${String(entry.round)}`;
    const known = byRound.get(key);
    if (entry.event !== 'provider_request') {
      if (known) record(entry, known);
    } else if (known && !known.response) {
      // A retry of the same round: only the last attempt counts.
      known.events = [];
    } else {
      const draft = startDraft(entry, drafts.length + 1);
      drafts.push(draft);
      byRound.set(key, draft);
    }
  }
  return drafts;
}

interface Draft extends Exchange {
  events: RecordedEvent[];
  response: AssistantMessage | undefined;
}

/** Messages are read on comparison, because a log resolves them lazily. */
function startDraft(entry: SessionLogEntry, number: number): Draft {
  return {
    number,
    model: String(entry.model ?? ''),
    get messages() {
      return (entry.messages ?? []) as readonly Message[];
    },
    events: [],
    response: undefined,
  };
}

function record(entry: SessionLogEntry, draft: Draft): void {
  switch (entry.event) {
    case 'provider_stream_raw_delta':
      draft.events.push(...deltasOf(entry, 'text'));
      break;
    case 'provider_thinking_delta':
      draft.events.push(...deltasOf(entry, 'thinking'));
      break;
    case 'provider_native_raw_payload':
      draft.events.push(...payloadsOf(entry));
      break;
    case 'server_tool':
      draft.events.push(serverTool(entry));
      break;
    case 'provider_retry':
      // Events of the failed attempt are not part of the reply.
      draft.events = [];
      break;
    case 'provider_response_normalized':
      draft.response = entry.response as AssistantMessage;
  }
}

/** A line may contain several joined deltas, with their lengths. */
function deltasOf(entry: SessionLogEntry, kind: 'text' | 'thinking'): RecordedEvent[] {
  const joined = String(entry.delta ?? '');
  const lengths = Array.isArray(entry.lengths) ? (entry.lengths as number[]) : [joined.length];
  let start = 0;
  return lengths.map((length) => {
    const delta = joined.slice(start, start + length);
    start += length;
    return { kind, delta };
  });
}

/** A line may contain several payloads, numbered from `sequence`. */
function payloadsOf(entry: SessionLogEntry): RecordedEvent[] {
  const payloads = Array.isArray(entry.payloads) ? (entry.payloads as unknown[]) : [entry.payload];
  const first = typeof entry.sequence === 'number' ? entry.sequence : 0;
  return payloads.map((payload, index) => ({
    kind: 'raw',
    payload: {
      provider: String(entry.provider ?? ''),
      payloadKind: entry.payloadKind as ProviderNativeRawPayload['payloadKind'],
      payload,
      sequence: first + index,
      ...(typeof entry.apiSurface === 'string' ? { apiSurface: entry.apiSurface } : {}),
    },
  }));
}

function serverTool(entry: SessionLogEntry): RecordedEvent {
  const input = (entry.input ?? {}) as Readonly<Record<string, unknown>>;
  return { kind: 'server_tool', name: String(entry.tool ?? ''), input };
}
