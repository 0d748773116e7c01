import type { ToolParameters } from '@robota-sdk/agent-core';

/** A reply before it is streamed. */
export interface DemoReply {
  readonly thinking: string;
  readonly text: string;
  readonly calls: readonly DemoCall[];
}

export interface DemoCall {
  readonly name: string;
  readonly args: ToolParameters;
}
