import type { SessionExtension } from '../assembly/session-extension.ts';
import type { Workshop } from '../assembly/workshop.ts';
import { AgentExecutor } from './agent-executor.ts';
import { PromptExecutor } from './prompt-executor.ts';

/** Gives a session the two hook executors that need a model. */
export function hooksExtension(workshop: Workshop): SessionExtension {
  return {
    name: 'hook executors',
    extend(scene) {
      const prompt = new PromptExecutor({
        provider: scene.provider,
        model: () => scene.standing().session.getModel?.(),
        onRequest: scene.countRequest,
      });
      const { subagents: runner, agents } = workshop;
      if (!runner) return { hookTypeExecutors: [prompt] };
      return { hookTypeExecutors: [prompt, new AgentExecutor({ runner, agents })] };
    },
  };
}
