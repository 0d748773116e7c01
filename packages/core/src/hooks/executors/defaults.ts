import type { HookTypeExecutor } from '../hook.ts';
import { commandHookExecutor } from './command.ts';
import { functionHookExecutor } from './function.ts';
import { httpHookExecutor } from './http.ts';

/** What core can run by itself; prompt and agent hooks need a model and join from the layers above. */
export const DEFAULT_HOOK_EXECUTORS: readonly HookTypeExecutor[] = [
  commandHookExecutor,
  httpHookExecutor,
  functionHookExecutor,
];
