import type { ToolResult, TToolResult } from '@robota-sdk/agent-tools';
import * as tools from '@robota-sdk/agent-tools';
import { expect, expectTypeOf, it } from 'vitest';

it('exports eight tools, a factory for each, and functions to create more', () => {
  expect(Object.keys(tools).sort()).toEqual([
    'BraveWebSearch',
    'FileTracker',
    'FunctionTool',
    'ObjectFolder',
    'bashTool',
    'boundSnapshots',
    'connectMcpServer',
    'createBashTool',
    'createEditTool',
    'createGlobTool',
    'createGrepTool',
    'createLocalSandbox',
    'createReadTool',
    'createSchemaTool',
    'createWebFetchTool',
    'createWebSearchTool',
    'createWriteTool',
    'createZodFunctionTool',
    'editTool',
    'findConfinement',
    'globTool',
    'grepTool',
    'partsOf',
    'readPlainFile',
    'readTool',
    'settleSwap',
    'swapFiles',
    'toolEnvironment',
    'webFetchTool',
    'webSearchTool',
    'writeTool',
    'zodToJsonSchema',
  ]);
});

it('names the eight tools as models know them', () => {
  const all = [
    tools.bashTool,
    tools.readTool,
    tools.writeTool,
    tools.editTool,
    tools.globTool,
    tools.grepTool,
    tools.webFetchTool,
    tools.webSearchTool,
  ];

  expect(all.map((tool) => tool.schema.name)).toEqual([
    'Bash',
    'Read',
    'Write',
    'Edit',
    'Glob',
    'Grep',
    'WebFetch',
    'WebSearch',
  ]);
});

it('offers the result type under the name of the specification', () => {
  expectTypeOf<TToolResult>().toEqualTypeOf<ToolResult>();
  expectTypeOf<TToolResult>().toMatchTypeOf<{ success: boolean; output: string }>();
});
