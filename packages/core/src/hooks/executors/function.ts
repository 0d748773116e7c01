import type { HookTypeExecutor } from '../hook.ts';

/** Calls a hook defined in code. */
export const functionHookExecutor: HookTypeExecutor = {
  type: 'function',
  async execute(definition, input, { signal }) {
    if (definition.type !== 'function') return { exitCode: 1, stderr: 'not a function hook' };
    try {
      return await definition.run(input, signal);
    } catch (error) {
      return { exitCode: 1, stderr: error instanceof Error ? error.message : String(error) };
    }
  },
};
