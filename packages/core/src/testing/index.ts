export type { FakeTool } from './fake-tool.ts';
export { fakeTool } from './fake-tool.ts';
export type { ManualClock } from './manual-clock.ts';
export { manualClock } from './manual-clock.ts';
export type { ScriptedCall, ScriptedReply } from './replies.ts';
export { calls, fails, says, thinks } from './replies.ts';
export type { ScriptedProvider } from './scripted-provider.ts';
export { scriptedProvider } from './scripted-provider.ts';
export { assertStrictHistory, assertStrictRequest, strictProvider } from './strict-history.ts';
