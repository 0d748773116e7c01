/** Who a subagent is: what it is told, which model it asks and which tools it may see. */
export interface AgentDefinition {
  readonly name: string;
  readonly description: string;
  readonly systemPrompt: string;
  /** The parent's model when left out; `sonnet`, `haiku` and `opus` stand for the current ones. */
  readonly model?: string;
  readonly maxTurns?: number;
  /** Only these tools. */
  readonly tools?: readonly string[];
  /** All but these tools. */
  readonly disallowedTools?: readonly string[];
  /** The file it came from. */
  readonly file?: string;
}
