import {
  type AssistantMessage,
  createAssistantMessage,
  type MessageMetadata,
  type MessagePart,
} from '../messages/message.ts';

/** One scripted reply. */
export type ScriptedReply =
  | {
      readonly kind: 'message';
      readonly message: AssistantMessage;
      readonly deltas?: readonly string[];
    }
  | { readonly kind: 'failure'; readonly error: unknown; readonly after?: string };

interface ReplyExtras {
  readonly metadata?: MessageMetadata;
  readonly parts?: readonly MessagePart[];
  /** How the text is streamed; in one piece when left out. */
  readonly deltas?: readonly string[];
}

/** Answers with text, streamed. */
export function says(text: string, extras: ReplyExtras = {}): ScriptedReply {
  const { deltas = text === '' ? [] : [text], ...rest } = extras;
  return { kind: 'message', message: createAssistantMessage(text, rest), deltas };
}

/** A tool call that a scripted model asks for. */
export interface ScriptedCall {
  readonly id: string;
  readonly name: string;
  /** A string is taken as the JSON text itself, malformed or not. */
  readonly args?: unknown;
}

/** Asks for tools. */
export function calls(...wanted: readonly ScriptedCall[]): ScriptedReply {
  const toolCalls = wanted.map(({ id, name, args = {} }) => ({
    id,
    type: 'function' as const,
    function: { name, arguments: typeof args === 'string' ? args : JSON.stringify(args) },
  }));
  return { kind: 'message', message: createAssistantMessage(null, { toolCalls }), deltas: [] };
}

/** Streams thinking, then continues with `then`. */
export function thinks(thought: string, then: ScriptedReply): ScriptedReply {
  if (then.kind === 'failure') return then;
  const { message } = then;
  const text: readonly MessagePart[] = message.content
    ? [{ type: 'text', text: message.content }]
    : [];
  const parts: readonly MessagePart[] = [
    { type: 'thinking', text: thought },
    ...(message.parts ?? text),
  ];
  return { ...then, message: { ...message, parts } };
}

/** Fails, at once or after streaming some text. */
export function fails(error: unknown, after?: string): ScriptedReply {
  return { kind: 'failure', error, ...(after !== undefined && { after }) };
}
