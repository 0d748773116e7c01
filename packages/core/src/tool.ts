import type { JsonObject } from './json.ts';
import type { MessagePart } from './messages/message.ts';

/**
 * Port: a tool that a model may call. `execute` never rejects for an expected failure: it resolves with `success:
 * false`. It honours `context.signal` and may run concurrently with itself.
 */
export interface Tool {
  readonly schema: ToolSchema;
  execute(parameters: ToolParameters, context: ToolExecutionContext): Promise<ToolOutcome>;
  getName?(): string;
  getDescription?(): string;
  validate?(parameters: ToolParameters): boolean;
  validateParameters?(parameters: ToolParameters): ToolValidation;
  setEventService?(eventService: unknown): void;
  /** What a call would access, symlinks resolved, so that permissions are checked for the real targets. */
  touches?(parameters: ToolParameters, context: ToolTouchContext): Promise<readonly ToolTouch[]>;
}

/** Description of a tool for the model. */
export interface ToolSchema {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the parameters. */
  readonly parameters: {
    readonly type: 'object';
    readonly properties: Readonly<Record<string, unknown>>;
    readonly required?: readonly string[];
    readonly additionalProperties?: unknown;
    readonly [keyword: string]: unknown;
  };
}

/** Arguments of a tool call. */
export type ToolParameters = Readonly<Record<string, unknown>>;

/** Context of a tool call besides its parameters. */
export interface ToolExecutionContext {
  readonly toolName: string;
  readonly parameters: ToolParameters;
  /** The id of the model's tool call. */
  readonly executionId: string;
  readonly signal: AbortSignal;
  readonly sessionId?: string;
  readonly cwd?: string;
  readonly ownerPath?: readonly string[];
  readonly metadata?: JsonObject;
  /** Interim output worth showing; a tool that has none never calls it. */
  readonly onProgress?: (text: string) => void;
}

/** Context for determining what a call would touch. */
export type ToolTouchContext = Pick<ToolExecutionContext, 'cwd'>;

/** A resource that a call would read, write, run or reach. */
export interface ToolTouch {
  readonly kind: 'read' | 'write' | 'execute' | 'network';
  /** An absolute real path, a command or a URL, by kind. */
  readonly target: string;
}

/** Outcome of a tool call. */
export interface ToolOutcome {
  readonly success: boolean;
  /** Output for the model: text, or a value that is sent as JSON. */
  readonly data?: unknown;
  readonly error?: string;
  /** Machine-readable: `unknown_tool`, `invalid_arguments`, `denied`, `blocked`, `interrupted`, `outcome_unknown` … */
  readonly errorCode?: string;
  /** Images returned in addition to the text. */
  readonly parts?: readonly MessagePart[];
  readonly metadata?: Readonly<Record<string, unknown>>;
}

/** Result of validating parameters. */
export interface ToolValidation {
  readonly isValid: boolean;
  readonly errors: readonly string[];
}
