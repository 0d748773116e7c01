import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type {
  ICommand,
  ICommandResult,
  ICommandSource,
  IDiffLine,
  IExecutionResult,
  IHistoryEntry,
  IInteractiveSessionEvents,
  IResolvedConfig,
  ISystemCommand,
  IToolState,
  IToolSummary,
  ITransportAdapter,
  TInteractivePermissionHandler,
} from '@robota-sdk/agent-sdk';
import * as sdk from '@robota-sdk/agent-sdk';
import { expect, expectTypeOf, it } from 'vitest';

it('keeps what the specification calls internal to itself', () => {
  const internal = [
    'createSession',
    'createDefaultTools',
    'SystemCommandExecutor',
    'createSystemCommands',
    'AgentDefinitionLoader',
    'loadConfig',
    'loadContext',
    'Session',
    'SessionStore',
    'webFetchTool',
    'webSearchTool',
  ];

  expect(internal.filter((name) => name in sdk)).toEqual([]);
});

it('hands on the history helpers and six tools', () => {
  const handedOn = [
    'isChatEntry',
    'chatEntryToMessage',
    'messageToHistoryEntry',
    'getMessagesForAPI',
    'createSystemMessage',
    'getModelName',
    'bashTool',
    'readTool',
    'writeTool',
    'editTool',
    'globTool',
    'grepTool',
  ];

  expect(handedOn.filter((name) => !(name in sdk))).toEqual([]);
});

it('has the type names of the specification', () => {
  expectTypeOf<IToolState>().toEqualTypeOf<sdk.ToolState>();
  expectTypeOf<IToolSummary>().toEqualTypeOf<sdk.ToolSummary>();
  expectTypeOf<IDiffLine>().toEqualTypeOf<sdk.DiffLine>();
  expectTypeOf<IExecutionResult>().toEqualTypeOf<sdk.ExecutionResult>();
  expectTypeOf<IInteractiveSessionEvents>().toEqualTypeOf<sdk.InteractiveSessionEvents>();
  expectTypeOf<ITransportAdapter>().toEqualTypeOf<sdk.TransportAdapter>();
  expectTypeOf<ICommand>().toEqualTypeOf<sdk.Command>();
  expectTypeOf<ICommandSource>().toEqualTypeOf<sdk.CommandSource>();
  expectTypeOf<ICommandResult>().toEqualTypeOf<sdk.CommandResult>();
  expectTypeOf<ISystemCommand>().toEqualTypeOf<sdk.SystemCommand>();
  expectTypeOf<IResolvedConfig>().toEqualTypeOf<sdk.ResolvedConfig>();
  expectTypeOf<IHistoryEntry>().toEqualTypeOf<sdk.HistoryEntry>();
  expectTypeOf<TInteractivePermissionHandler>().toEqualTypeOf<sdk.InteractivePermissionHandler>();
  expectTypeOf<sdk.InteractiveSession>().toExtend<{ readonly sessionId: string }>();
});

it('depends on no provider and no user interface library', () => {
  const manifest = JSON.parse(readFileSync(join(import.meta.dirname, '../package.json'), 'utf8'));

  expect(
    Object.keys(manifest.dependencies).filter((name) => /provider|react|ink/.test(name)),
  ).toEqual([]);
});
