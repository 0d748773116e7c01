type Fields = Readonly<Record<string, unknown>>;

/** Writes a chat file as the program does, one second per record. */
export class GeminiChat {
  readonly lines: string[] = [];
  readonly messages = new Map<string, Fields>();
  #seconds = 0;

  constructor(sessionId = 'session-1', kind = 'main') {
    const startTime = this.time();
    this.raw({ sessionId, projectHash: 'hash', startTime, lastUpdated: startTime, kind });
  }

  get text(): string {
    return `${this.lines.join('\n')}\n`;
  }

  raw(record: unknown): this {
    this.lines.push(JSON.stringify(record));
    return this;
  }

  message(id: string, type: string, fields: Fields): this {
    const timestamp = this.messages.get(id)?.timestamp ?? this.time();
    const message = { id, timestamp, type, ...fields };
    this.messages.set(id, message);
    return this.raw(message);
  }

  user(id: string, text: string, fields: Fields = {}): this {
    return this.message(id, 'user', { content: [{ text }], ...fields });
  }

  model(id: string, text: string, fields: Fields = {}): this {
    return this.message(id, 'gemini', {
      content: text,
      thoughts: [],
      model: 'gemini-x',
      ...fields,
    });
  }

  /** The model's message again, now with results, and the results as a user message. */
  answered(id: string, text: string, callIds: readonly string[]): this {
    this.model(id, text);
    this.model(id, text, { toolCalls: callIds.map((callId) => toolCall(callId)) });
    return this.response(`${id}-answers`, callIds);
  }

  response(id: string, callIds: readonly string[], output?: string): this {
    const content = callIds.map((callId) => functionResponse(callId, output));
    return this.message(id, 'user', { content });
  }

  set(fields: Fields): this {
    return this.raw({ $set: fields });
  }

  /** A checkpoint of messages: known ids as last written, or complete messages. */
  checkpoint(...messages: readonly (string | Fields)[]): this {
    const list = messages.map((given) =>
      typeof given === 'string' ? this.messages.get(given) : given,
    );
    return this.set({ messages: list, lastUpdated: this.time() });
  }

  rewindTo(id: string): this {
    return this.raw({ $rewindTo: id });
  }

  time(): string {
    return new Date(Date.UTC(2026, 0, 1, 0, 0, this.#seconds++)).toISOString();
  }
}

export function toolCall(id: string, fields: Fields = {}): Fields {
  return {
    id,
    name: 'read_file',
    args: { file_path: `${id}.txt` },
    result: [functionResponse(id)],
    status: 'success',
    timestamp: '2026-01-01T01:00:00.000Z',
    ...fields,
  };
}

export function functionResponse(id: string, output = `output of ${id}`): Fields {
  return { functionResponse: { id, name: 'read_file', response: { output } } };
}

export const CONTEXT: Fields = {
  id: 'd04923d38bb0f6017037e74183378ef4',
  timestamp: '2026-01-01T00:00:00.000Z',
  type: 'user',
  content: [
    {
      text: '<session_context>\nThis is the program.\n- **Workspace Directories:**\n  - /home/tester/proj\n</session_context>',
    },
  ],
};
