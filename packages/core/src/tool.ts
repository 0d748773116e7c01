import type { JsonObject } from './json.ts';
import type { MessagePart } from './messages/message.ts';

/**
 * Port: something a model may ask for. `execute` never rejects for an expected failure: it resolves with
 * `success: false`. It honours `context.signal` and may be called in parallel with itself.
 */
export interface Tool {
  readonly schema: ToolSchema;
  execute(parameters: ToolParameters, context: ToolExecutionContext): Promise<ToolOutcome>;
  getName?(): string;
  getDescription?(): string;
  validate?(parameters: ToolParameters): boolean;
  validateParameters?(parameters: ToolParameters): ToolValidation;
  setEventService?(eventService: unknown): void;
  /** What a call would touch, symlinks resolved, so that the permission gate decides on what really happens. */
  touches?(parameters: ToolParameters, context: ToolTouchContext): Promise<readonly ToolTouch[]>;
}

/** What a model is told about a tool. */
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

/** What a tool is called with. */
export type ToolParameters = Readonly<Record<string, unknown>>;

/** What a tool is told about the call besides its parameters. */
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

/** Where a call would happen. */
export type ToolTouchContext = Pick<ToolExecutionContext, 'cwd'>;

/** Something outside that a call would read, write, run or reach. */
export interface ToolTouch {
  readonly kind: 'read' | 'write' | 'execute' | 'network';
  /** An absolute real path, a command or a URL, by kind. */
  readonly target: string;
}

/** What a tool call came to. */
export interface ToolOutcome {
  readonly success: boolean;
  /** What the model reads: text, or a value that is sent as JSON. */
  readonly data?: unknown;
  readonly error?: string;
  /** Machine-readable: `unknown_tool`, `invalid_arguments`, `denied`, `blocked`, `interrupted`, `outcome_unknown` … */
  readonly errorCode?: string;
  /** Images a tool returns beside its text. */
  readonly parts?: readonly MessagePart[];
  readonly metadata?: Readonly<Record<string, unknown>>;
}

/** Whether parameters fit, and what is wrong with them. */
export interface ToolValidation {
  readonly isValid: boolean;
  readonly errors: readonly string[];
}
