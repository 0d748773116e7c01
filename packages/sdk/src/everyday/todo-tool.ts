import type { Tool } from '@robota-sdk/agent-core';
import { createSchemaTool } from '@robota-sdk/agent-tools';

const MAX_TODOS = 100;

const parameters = {
  type: 'object',
  properties: {
    todos: {
      maxItems: MAX_TODOS,
      type: 'array',
      items: {
        type: 'object',
        properties: {
          content: {
            type: 'string',
            minLength: 1,
            description: 'What is to be done, as a request: "Run the tests"',
          },
          status: { type: 'string', enum: ['pending', 'in_progress', 'completed'] },
          activeForm: {
            description: 'The same while it is being done: "Running the tests"',
            type: 'string',
          },
        },
        required: ['content', 'status'],
      },
    },
  },
  required: ['todos'],
} as const;

/** Lets a model keep a to-do list; every surface shows the list of the last call. */
export function createTodoTool(): Tool {
  return createSchemaTool({
    name: 'TodoWrite',
    description:
      'Writes down the whole list of what you have to do, with the state of each item, so that the user sees how far you are. Use it for work of three steps or more: write the list first, set one item to in_progress before you begin it and to completed as soon as it is done. Each call replaces the list.',
    parameters,
    run: ({ todos }) => {
      const done = todos.filter(({ status }) => status === 'completed').length;
      const current = todos.find(({ status }) => status === 'in_progress');
      const next = current ? ` Now: ${current.content}` : '';
      return `The list is kept: ${done} of ${todos.length} done.${next}`;
    },
  });
}
