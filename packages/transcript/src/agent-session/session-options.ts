import type { AgentHome } from '../agent-sandbox/agent-home.ts';
import type { AgentProfile } from '../agent-sandbox/agent-profile.ts';
import type { AgentArchitectureType } from '../architecture-type.ts';
import type { AgentSetting } from '../architectures/agent-program.ts';
import type { AskPermission } from '../architectures/permission-question.ts';

/** A new session, one that is kept, or a new one that begins with what was said in another. */
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
  /** Whether files of the workspace are copied into the session; not in the user's own home, unless it is said. */
  readonly keepsWorkspace?: boolean | undefined;
  /** Answers questions; without it, and unless they wait, they are answered with no. */
  readonly onPermissionRequest?: AskPermission | undefined;
  /** Whether questions wait for `answerQuestion` when no callback answers them. */
  readonly waitsForAnswers?: boolean | undefined;
}

/** What sessions live on. */
export interface AgentSessionContext {
  readonly home: AgentHome;
  readonly loadAgentProfile?:
    | ((reference: string) => Promise<AgentProfile | null | undefined>)
    | undefined;
  /** Told what goes wrong beside a turn, such as a listener that throws; a warning of the process by default. */
  readonly onError?: ((error: Error) => void) | undefined;
}
