/** Thrown while the agent is answering another prompt. */
export class AgentBusyError extends Error {
  override readonly name = 'AgentBusyError';
  readonly code = 'session_busy';

  constructor(action: string) {
    super(
      `Cannot ${action}: the agent is still answering another prompt. Wait for it or abort it.`,
    );
  }
}
