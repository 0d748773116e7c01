export {
  type RemoteSessionState,
  type RemoteSessionStore,
  remoteSessionStore,
  type SentPrompt,
} from './remote-session-store.ts';
export { type UseSessionOptions, useSession } from './use-session.ts';
