/** An invalid option of an agent; `field` names it. */
export class AgentConfigError extends Error {
  override readonly name = 'AgentConfigError';
  readonly code = 'invalid_config';
  readonly field: string;

  constructor(field: string, problem: string) {
    super(`Invalid agent configuration: ${field} ${problem}.`);
    this.field = field;
  }
}
