import type { LanguageModelV3Prompt, LanguageModelV3StreamPart } from '@ai-sdk/provider';
import {
  type AssistantMessage,
  createAssistantMessage,
  type Message,
  type MessageMetadata,
  ProviderError,
} from '@robota-sdk/agent-core';
import type { Fetch } from '../http/node-fetch.ts';
import { RawPayloadReporter } from './raw-payloads.ts';
import { ReplyReader } from './reply-reader.ts';
import { toAssistantContent } from './to-assistant-content.ts';
import { toPrompt } from './to-prompt.ts';
import {
  missingKeyError,
  noStopSequencesError,
  requestIdOf,
  toProviderError,
} from './to-provider-error.ts';
import type { Vendor, VendorRequest } from './vendor.ts';

export interface ChatContext {
  readonly vendor: Vendor;
  readonly fetch: Fetch;
  readonly request: VendorRequest;
}

/** Maximum number of times a vendor may pause one reply. */
const MAX_PAUSES = 8;

/** Calls the vendor's model and turns its stream into an assistant message. */
export async function streamChat(
  context: ChatContext,
  messages: readonly Message[],
): Promise<AssistantMessage> {
  const { vendor, request } = context;
  if (!vendor.hasKey) throw missingKeyError(vendor);
  if (vendor.lacksStopSequences && request.options.stopSequences?.length) {
    throw noStopSequencesError(vendor);
  }
  const reader = new ReplyReader(vendor, request.options);
  const raw = new RawPayloadReporter(
    { provider: vendor.name, apiSurface: vendor.apiSurface },
    request.options.onProviderNativeRawPayload,
  );
  const prompt = toPrompt(messages, vendor.promptRules);
  for (let pauses = 0; ; pauses++) {
    const isDone = await readOnce(context, [...prompt, ...replySoFar(reader, vendor)], {
      reader,
      raw,
    });
    if (!isDone) return toMessage(reader, context, 'interrupted');
    if (pauses === MAX_PAUSES || !vendor.isPause?.(reader.stopReason)) break;
  }
  return toMessage(reader, context, 'complete');
}

/** The content of a paused reply so far, for the request that continues it. */
function replySoFar(reader: ReplyReader, vendor: Vendor): LanguageModelV3Prompt {
  const content = toAssistantContent(
    createAssistantMessage(reader.builder.text, partsOf(reader)),
    vendor.promptRules,
  );
  return content.length === 0 ? [] : [{ role: 'assistant', content }];
}

interface ReplyReaders {
  readonly reader: ReplyReader;
  readonly raw: RawPayloadReporter;
}

/** Runs one request; false if the caller aborted it. */
async function readOnce(
  { vendor, fetch, request }: ChatContext,
  prompt: LanguageModelV3Prompt,
  { reader, raw }: ReplyReaders,
): Promise<boolean> {
  const { signal } = request.options;
  try {
    const model = vendor.createModel(request.model, requireStream(raw.watch(fetch), vendor));
    const reply = await model.doStream({
      prompt: vendor.finishPrompt?.(prompt) ?? prompt,
      maxOutputTokens: request.maxOutputTokens,
      includeRawChunks: raw.isWanted || vendor.readEarlyUsage !== undefined,
      ...(request.options.temperature === undefined
        ? {}
        : { temperature: request.options.temperature }),
      ...(request.options.stopSequences === undefined
        ? {}
        : { stopSequences: [...request.options.stopSequences] }),
      ...(signal ? { abortSignal: signal } : {}),
      ...vendor.callOptions(request),
    });
    reader.requestId = requestIdOf(reply.response?.headers ?? {});
    await readAll(reply.stream, { reader, raw });
    return true;
  } catch (error) {
    if (signal?.aborted) return false;
    throw reader.callbackFailure === error ? error : toProviderError(error, vendor);
  }
}

async function readAll(
  stream: ReadableStream<LanguageModelV3StreamPart>,
  { reader, raw }: ReplyReaders,
): Promise<void> {
  const parts = stream.getReader();
  try {
    for (;;) {
      const { done, value } = await parts.read();
      if (done) break;
      if (value.type === 'raw') raw.report('stream_event', value.rawValue);
      reader.read(value);
    }
    reader.assertFinished();
  } catch (error) {
    // Releases the connection; the error that matters is rethrown below.
    parts.cancel().catch(() => undefined);
    throw error;
  }
}

function toMessage(
  reader: ReplyReader,
  { vendor, request }: ChatContext,
  state: AssistantMessage['state'],
): AssistantMessage {
  const { builder } = reader;
  const metadata: MessageMetadata = {
    ...reader.usage,
    model: request.model,
    provider: vendor.name,
    stopReason: state === 'interrupted' ? 'aborted' : (reader.stopReason ?? 'unknown'),
    ...(reader.requestId ? { requestId: reader.requestId } : {}),
  };
  const { toolCalls, text } = builder;
  return createAssistantMessage(text === '' && toolCalls.length > 0 ? null : text, {
    state,
    metadata,
    ...partsOf(reader),
    ...(toolCalls.length > 0 ? { toolCalls } : {}),
  });
}

function partsOf({ builder }: ReplyReader): Pick<AssistantMessage, 'parts'> {
  return builder.parts ? { parts: builder.parts } : {};
}

/** An HTML or JSON response instead of a stream means that the base URL is wrong. */
function requireStream(fetch: Fetch, vendor: Vendor): Fetch {
  return async (input, init) => {
    const response = await fetch(input, init);
    const type = response.headers.get('content-type') ?? '';
    if (!response.ok || !/html|json/.test(type)) return response;
    await response.body?.cancel();
    throw new ProviderError(
      `${vendor.title} answered with ${type} instead of a stream. Check ${vendor.baseUrlVariable}.`,
      {
        provider: vendor.name,
        kind: 'malformed_reply',
        isRetryable: false,
        status: response.status,
      },
    );
  };
}
