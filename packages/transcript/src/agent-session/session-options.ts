import type { AgentHome } from '../agent-sandbox/agent-home.ts';
import type { AgentProfile } from '../agent-sandbox/agent-profile.ts';
import type { AgentArchitectureType } from '../architecture-type.ts';
import type { AgentSetting } from '../architectures/agent-program.ts';
import type { AskPermission } from '../architectures/permission-question.ts';

/** A new session, a saved one, or a fork that begins with another session's conversation. */
export type AgentSessionOptions = SessionBehaviour &
  (
    | {
        readonly architecture: AgentArchitectureType;
        readonly agentProfileRef: string;
        readonly sessionId?: string;
      }
    | { readonly sessionId: string }
    | { readonly forkOf: string; readonly sessionId?: string }
  );

/** How a driven session behaves. */
export interface SessionBehaviour extends Omit<Partial<AgentSetting>, 'home'> {
  /** Given here, or found by `agentProfileRef` through the context. */
  readonly agentProfile?: AgentProfile | undefined;
  /** Whether workspace files are copied into the session; by default only outside the user's own home. */
  readonly keepsWorkspace?: boolean | undefined;
  /** Answers questions; without it they are denied, unless `waitsForAnswers` is set. */
  readonly onPermissionRequest?: AskPermission | undefined;
  /** Whether questions wait for `answerQuestion` when no callback answers them. */
  readonly waitsForAnswers?: boolean | undefined;
}

/** Dependencies shared by sessions. */
export interface AgentSessionContext {
  readonly home: AgentHome;
  readonly loadAgentProfile?:
    | ((reference: string) => Promise<AgentProfile | null | undefined>)
    | undefined;
  /** Receives errors outside a turn, such as a listener that throws; a process warning by default. */
  readonly onError?: ((error: Error) => void) | undefined;
}
