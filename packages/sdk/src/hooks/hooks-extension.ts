import type { SessionExtension } from '../assembly/session-extension.ts';
import type { SharedExtensions } from '../assembly/shared-extensions.ts';
import { AgentExecutor } from './agent-executor.ts';
import { McpToolExecutor } from './mcp-tool-executor.ts';
import { PromptExecutor } from './prompt-executor.ts';

/** Adds the hook executors that need a model or a connected server. */
export function hooksExtension(shared: SharedExtensions): SessionExtension {
  return {
    name: 'hook executors',
    extend(context) {
      const prompt = new PromptExecutor({
        provider: context.provider,
        model: () => context.ready().session.getModel?.(),
        onRequest: ({ model, usage }) => context.log('subagent_usage', { model, usage }),
      });
      const mcpTool = new McpToolExecutor({
        sessionId: context.sessionId,
        tools: () => context.ready().tools,
      });
      const { subagents: runner, agents } = shared;
      if (!runner) return { hookTypeExecutors: [prompt, mcpTool] };
      return { hookTypeExecutors: [prompt, mcpTool, new AgentExecutor({ runner, agents })] };
    },
  };
}
