import type { HookTypeExecutor } from '../hook.ts';
import { commandHookExecutor } from './command.ts';
import { functionHookExecutor } from './function.ts';
import { httpHookExecutor } from './http.ts';

/** Executors of core; prompt and agent hooks need a model and are added by higher layers. */
export const DEFAULT_HOOK_EXECUTORS: readonly HookTypeExecutor[] = [
  commandHookExecutor,
  httpHookExecutor,
  functionHookExecutor,
];
