import type { SessionExtension } from '../assembly/session-extension.ts';
import type { SharedExtensions } from '../assembly/shared-extensions.ts';
import { AgentExecutor } from './agent-executor.ts';
import { PromptExecutor } from './prompt-executor.ts';

/** Gives a session the two hook executors that need a model. */
export function hooksExtension(shared: SharedExtensions): SessionExtension {
  return {
    name: 'hook executors',
    extend(context) {
      const prompt = new PromptExecutor({
        provider: context.provider,
        model: () => context.ready().session.getModel?.(),
        onRequest: ({ model, usage }) => context.log('subagent_usage', { model, usage }),
      });
      const { subagents: runner, agents } = shared;
      if (!runner) return { hookTypeExecutors: [prompt] };
      return { hookTypeExecutors: [prompt, new AgentExecutor({ runner, agents })] };
    },
  };
}
