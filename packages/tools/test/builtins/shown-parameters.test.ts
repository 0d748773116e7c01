import {
  type CommandBackground,
  createBashTool,
  createEditTool,
  createGlobTool,
  createGrepTool,
  createReadTool,
  createWebFetchTool,
  createWebSearchTool,
  createWriteTool,
} from '@robota-sdk/agent-tools';
import { expect, it } from 'vitest';
import shown from '../fixtures/tool-parameters.json' with { type: 'json' };

const background: CommandBackground = {
  start: () => {
    throw new Error('not called');
  },
  wait: (command, scope) => command.run(scope),
};

it('keeps the bytes of the schemas stable, because providers may cache them', () => {
  const tools = {
    Bash: createBashTool(),
    'Bash with background': createBashTool({ background }),
    Read: createReadTool(),
    Write: createWriteTool(),
    Edit: createEditTool(),
    Glob: createGlobTool(),
    Grep: createGrepTool(),
    WebFetch: createWebFetchTool(),
    WebSearch: createWebSearchTool(),
  };

  const texts = Object.entries(tools).map(([name, tool]) => [
    name,
    JSON.stringify(tool.schema.parameters),
  ]);

  expect(texts).toEqual(Object.entries(shown).map(([name, json]) => [name, JSON.stringify(json)]));
});
