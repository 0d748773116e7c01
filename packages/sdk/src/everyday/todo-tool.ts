import type { Tool } from '@robota-sdk/agent-core';
import { createZodFunctionTool } from '@robota-sdk/agent-tools';
import { z } from 'zod';

const MOST_TODOS = 100;

const todo = z.object({
  content: z.string().min(1).describe('What is to be done, as a request: "Run the tests"'),
  status: z.enum(['pending', 'in_progress', 'completed']),
  activeForm: z
    .string()
    .optional()
    .describe('The same while it is being done: "Running the tests"'),
});

/** Lets a model keep a list of what it has to do; every surface shows the list of the last call. */
export function createTodoTool(): Tool {
  return createZodFunctionTool(
    'TodoWrite',
    'Writes down the whole list of what you have to do, with the state of each item, so that the user sees how far you are. Use it for work of three steps or more: write the list first, set one item to in_progress before you begin it and to completed as soon as it is done. Each call replaces the list.',
    z.object({ todos: z.array(todo).max(MOST_TODOS) }),
    ({ todos }) => {
      const done = todos.filter(({ status }) => status === 'completed').length;
      const current = todos.find(({ status }) => status === 'in_progress');
      const next = current ? ` Now: ${current.content}` : '';
      return `The list is kept: ${done} of ${todos.length} done.${next}`;
    },
  );
}
