import type {
  AssistantMessage,
  Message,
  ProviderNativeRawPayload,
  SessionLogEntry,
} from '@robota-sdk/agent-core';
import type { Exchange, Happening } from './exchange.ts';

/** The model requests of a log in their order, each with everything that was recorded for its execution and round. */
export function readExchanges(entries: readonly SessionLogEntry[]): readonly Exchange[] {
  const drafts: Draft[] = [];
  const byRound = new Map<string, Draft>();
  for (const entry of entries) {
    const key = `${String(entry.executionId)}:${String(entry.round)}`;
    const known = byRound.get(key);
    if (entry.event !== 'provider_request') {
      if (known) record(entry, known);
    } else if (known && !known.response) {
      // The same round asked again: only its last attempt counts.
      known.happenings = [];
    } else {
      const draft = startDraft(entry, drafts.length + 1);
      drafts.push(draft);
      byRound.set(key, draft);
    }
  }
  return drafts;
}

interface Draft extends Exchange {
  happenings: Happening[];
  response: AssistantMessage | undefined;
}

/** Messages are read when they are compared, because a log resolves them lazily. */
function startDraft(entry: SessionLogEntry, number: number): Draft {
  return {
    number,
    model: String(entry.model ?? ''),
    get messages() {
      return (entry.messages ?? []) as readonly Message[];
    },
    happenings: [],
    response: undefined,
  };
}

function record(entry: SessionLogEntry, draft: Draft): void {
  switch (entry.event) {
    case 'provider_stream_raw_delta':
      draft.happenings.push(...deltasOf(entry, 'text'));
      break;
    case 'provider_thinking_delta':
      draft.happenings.push(...deltasOf(entry, 'thinking'));
      break;
    case 'provider_native_raw_payload':
      draft.happenings.push(...payloadsOf(entry));
      break;
    case 'server_tool':
      draft.happenings.push(serverTool(entry));
      break;
    case 'provider_retry':
      // What the failed attempt streamed is not part of the answer.
      draft.happenings = [];
      break;
    case 'provider_response_normalized':
      draft.response = entry.response as AssistantMessage;
  }
}

/** A line may hold several deltas joined, with their lengths. */
function deltasOf(entry: SessionLogEntry, kind: 'text' | 'thinking'): Happening[] {
  const joined = String(entry.delta ?? '');
  const lengths = Array.isArray(entry.lengths) ? (entry.lengths as number[]) : [joined.length];
  let start = 0;
  return lengths.map((length) => {
    const delta = joined.slice(start, start + length);
    start += length;
    return { kind, delta };
  });
}

/** A line may hold several payloads, numbered on from the first. */
function payloadsOf(entry: SessionLogEntry): Happening[] {
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

function serverTool(entry: SessionLogEntry): Happening {
  const input = (entry.input ?? {}) as Readonly<Record<string, unknown>>;
  return { kind: 'server_tool', name: String(entry.tool ?? ''), input };
}
