/** Instruction, model and tools of a subagent. */
export interface AgentDefinition {
  readonly name: string;
  readonly description: string;
  readonly systemPrompt: string;
  /** Defaults to the parent's model; `sonnet`, `haiku` and `opus` mean the current versions. */
  readonly model?: string;
  readonly maxTurns?: number;
  /** Only these tools. */
  readonly tools?: readonly string[];
  /** All but these tools. */
  readonly disallowedTools?: readonly string[];
  /** The file it came from. */
  readonly file?: string;
}
