import type { AssistantMessage, Message, ProviderNativeRawPayload } from '@robota-sdk/agent-core';

/** One recorded request to a model, what streamed back, and the message it became. */
export interface Exchange {
  /** From 1, in the order of the recording. */
  readonly number: number;
  readonly model: string;
  readonly messages: readonly Message[];
  readonly happenings: readonly Happening[];
  /** Missing when the recorded run failed or was cut off. */
  readonly response: AssistantMessage | undefined;
}

export type Happening =
  | { readonly kind: 'text'; readonly delta: string }
  | { readonly kind: 'thinking'; readonly delta: string }
  | { readonly kind: 'raw'; readonly payload: ProviderNativeRawPayload }
  | {
      readonly kind: 'server_tool';
      readonly name: string;
      readonly input: Readonly<Record<string, unknown>>;
    };
