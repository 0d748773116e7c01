import type { AssistantMessage, Message, ProviderNativeRawPayload } from '@robota-sdk/agent-core';

/** One recorded model request, its stream events and the resulting message. */
export interface Exchange {
  /** From 1, in the order of the recording. */
  readonly number: number;
  readonly model: string;
  readonly messages: readonly Message[];
  readonly events: readonly RecordedEvent[];
  /** `undefined` if the recorded run failed or was cut off. */
  readonly response: AssistantMessage | undefined;
}

export type RecordedEvent =
  | { readonly kind: 'text'; readonly delta: string }
  | { readonly kind: 'thinking'; readonly delta: string }
  | { readonly kind: 'raw'; readonly payload: ProviderNativeRawPayload }
  | {
      readonly kind: 'server_tool';
      readonly name: string;
      readonly input: Readonly<Record<string, unknown>>;
    };
