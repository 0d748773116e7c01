/** The permission decision: the larger part of the package, loaded with the first tool call of a session. */
export { compileGlob } from '../glob.ts';
export { evaluatePermission, explainPermission } from './evaluate-permission.ts';
export { judgeToolCall, readFilter } from './judge-tool-call.ts';
export { isProtected } from './protected-paths.ts';
