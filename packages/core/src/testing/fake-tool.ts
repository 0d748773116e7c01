import type { Tool, ToolExecutionContext, ToolOutcome, ToolParameters } from '../tool.ts';

/** A tool for tests that remembers its calls. */
export interface FakeTool extends Tool {
  /** The parameters of every call so far. */
  readonly received: readonly ToolParameters[];
}

type FakeWork = (
  parameters: ToolParameters,
  context: ToolExecutionContext,
) => ToolOutcome | string | Promise<ToolOutcome | string>;

/** A tool that runs `work`; a returned string is a success with that text. */
export function fakeTool(name: string, work: FakeWork = () => 'done'): FakeTool {
  const received: ToolParameters[] = [];
  return {
    schema: {
      name,
      description: `The fake tool ${name}.`,
      parameters: { type: 'object', properties: {} },
    },
    received,
    getName: () => name,
    async execute(parameters, context) {
      received.push(parameters);
      const answer = await work(parameters, context);
      return typeof answer === 'string' ? { success: true, data: answer } : answer;
    },
  };
}
