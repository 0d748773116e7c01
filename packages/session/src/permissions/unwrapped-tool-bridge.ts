import type {
  EngineEvent,
  ToolExecutionRequestEvent,
  ToolExecutionResultEvent,
} from '@robota-sdk/agent-core';
import type { PermissionEnforcer } from './permission-enforcer.ts';
import type { ToolExecutionCallback } from './tool-execution-event.ts';

/**
 * Tells surfaces of calls that never reached a wrapped tool: an unknown name, arguments that do not parse, an
 * abort before the start. Calls that the enforcer told of are not told again.
 */
export class UnwrappedToolBridge {
  readonly #enforcer: PermissionEnforcer;
  readonly #callback: ToolExecutionCallback | undefined;
  readonly #requests = new Map<string, ToolExecutionRequestEvent>();

  constructor(enforcer: PermissionEnforcer, callback: ToolExecutionCallback | undefined) {
    this.#enforcer = enforcer;
    this.#callback = callback;
  }

  hear(event: EngineEvent): void {
    if (event.type === 'tool_execution_request') this.#requests.set(event.toolCallId, event);
    else if (event.type === 'tool_execution_result') this.#settle(event);
  }

  #settle(event: ToolExecutionResultEvent): void {
    const { toolCallId, toolName, success, error, errorCode, metadata } = event;
    const toolArgs = this.#requests.get(toolCallId)?.parameters ?? {};
    this.#requests.delete(toolCallId);
    if (this.#enforcer.takeAnnounced(toolCallId)) return;
    this.#callback?.({ type: 'start', toolName, toolArgs, toolCallId });
    this.#callback?.({
      type: 'end',
      toolName,
      toolArgs,
      toolCallId,
      success,
      ...(errorCode !== undefined && { errorCode }),
      ...(error !== undefined && { reason: error }),
      toolResultData: JSON.stringify({ success, error, errorCode, ...metadata }),
    });
  }
}
