import {
  Agent,
  createUserMessage,
  evaluatePermission,
  type IAgentConfig,
  type IAIProvider,
  type IAssistantMessage,
  type IChatOptions,
  type IContextWindowState,
  type IHistoryEntry,
  type IHookInput,
  type IHookTypeExecutor,
  type IProviderCapabilities,
  type ISystemMessage,
  type IToolExecutionContext,
  type IToolMessage,
  type IToolResult,
  type IToolSchema,
  type IToolWithEventService,
  type IUserMessage,
  isChatEntry,
  messageToHistoryEntry,
  Robota,
  runHooks,
  type THooksConfig,
  type TPermissionDecision,
  type TPermissionMode,
  TRUST_TO_MODE,
  type TTextDeltaCallback,
  type TToolArgs,
  type TTrustLevel,
  type TUniversalMessage,
} from '@robota-sdk/agent-core';
import { describe, expect, expectTypeOf, it } from 'vitest';

describe("the specs' own names", () => {
  it('exist at run time', () => {
    expect(Robota).toBe(Agent);
    expect(TRUST_TO_MODE).toEqual({ safe: 'plan', moderate: 'default', full: 'acceptEdits' });
    expect([evaluatePermission, runHooks]).toEqual([expect.any(Function), expect.any(Function)]);
    expect(isChatEntry(messageToHistoryEntry(createUserMessage('Hi')))).toBe(true);
  });

  it('exist as types', () => {
    expectTypeOf<IAgentConfig>().toHaveProperty('timeout');
    expectTypeOf<IAgentConfig>().toHaveProperty('defaultModel');
    expectTypeOf<IAIProvider>().toHaveProperty('chat');
    expectTypeOf<IToolWithEventService>().toHaveProperty('setEventService');
    expectTypeOf<IChatOptions>().toHaveProperty('onTextDelta');
    expectTypeOf<TTextDeltaCallback>().toBeCallableWith('text');
    expectTypeOf<
      IUserMessage | IAssistantMessage | ISystemMessage | IToolMessage
    >().toEqualTypeOf<TUniversalMessage>();
    expectTypeOf<IHistoryEntry>().toHaveProperty('category');
    expectTypeOf<IToolSchema>().toHaveProperty('parameters');
    expectTypeOf<IToolResult>().toHaveProperty('errorCode');
    expectTypeOf<IToolExecutionContext>().toHaveProperty('signal');
    expectTypeOf<IContextWindowState>().toHaveProperty('usedPercentage');
    expectTypeOf<IProviderCapabilities>().toHaveProperty('nativeWebTools');
    expectTypeOf<TToolArgs>().toEqualTypeOf<Readonly<Record<string, unknown>>>();
    expectTypeOf<'plan'>().toExtend<TPermissionMode>();
    expectTypeOf<'approve'>().toExtend<TPermissionDecision>();
    expectTypeOf<'moderate'>().toExtend<TTrustLevel>();
    expectTypeOf<THooksConfig>().toHaveProperty('PreToolUse');
    expectTypeOf<IHookInput>().toHaveProperty('session_id');
    expectTypeOf<IHookTypeExecutor>().toHaveProperty('execute');
  });
});
