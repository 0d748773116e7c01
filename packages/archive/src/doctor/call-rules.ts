import { createHash } from 'node:crypto';

/** A line of a transcript as its program wrote it. */
export type TranscriptLine = Readonly<Record<string, unknown>>;

/** How one agent's transcripts record tool calls and their results. */
export interface CallRules {
  /** Ids of the calls that a line makes. */
  calls(line: TranscriptLine): readonly string[];
  /** Ids of the calls that a line answers. */
  results(line: TranscriptLine): readonly string[];
  /** The line without the results of these calls; undefined if nothing else is in it. */
  withoutResults(line: TranscriptLine, ids: ReadonlySet<string>): TranscriptLine | undefined;
  /** Result lines for calls of `line` whose outcome is unknown. */
  answer(line: TranscriptLine, ids: readonly string[]): readonly TranscriptLine[];
  /** Fields with a line's own id and its parent's, if lines are linked. */
  readonly links?: { readonly id: string; readonly parent: string } | undefined;
  /** Lines with the same value belong to one message, so nothing may be inserted between them. */
  messageOf?(line: TranscriptLine): string | undefined;
}

const UNKNOWN_OUTCOME =
  'The outcome of this call is unknown: the program ended before it was written down.';

const claude: CallRules = {
  links: { id: 'uuid', parent: 'parentUuid' },
  calls: (line) => partsOf(line.message).filter(isType('tool_use')).flatMap(idOf('id')),
  results: (line) =>
    partsOf(line.message).filter(isType('tool_result')).flatMap(idOf('tool_use_id')),
  withoutResults(line, ids) {
    const message = recordOf(line.message);
    const parts = partsOf(line.message);
    const kept = parts.filter(
      (part) => part.type !== 'tool_result' || !ids.has(String(part.tool_use_id)),
    );
    if (kept.length === parts.length) return line;
    return kept.length === 0 ? undefined : { ...line, message: { ...message, content: kept } };
  },
  answer(line, ids) {
    const { sessionId, cwd, version, gitBranch, userType, timestamp, isSidechain, agentId } = line;
    const content = ids.map((id) => ({
      type: 'tool_result',
      tool_use_id: id,
      is_error: true,
      content: UNKNOWN_OUTCOME,
    }));
    return [
      {
        parentUuid: line.uuid,
        ...{ isSidechain, userType, cwd, sessionId, version, gitBranch, agentId },
        type: 'user',
        message: { role: 'user', content },
        uuid: derivedUuid(`${String(line.uuid)} ${ids.join(' ')}`),
        timestamp,
      },
    ];
  },
  messageOf: (line) => textOf(recordOf(line.message).id),
};

const CODEX_CALLS: ReadonlySet<unknown> = new Set([
  'function_call',
  'custom_tool_call',
  'local_shell_call',
]);
const CODEX_RESULTS: ReadonlySet<unknown> = new Set([
  'function_call_output',
  'custom_tool_call_output',
]);

const codex: CallRules = {
  calls: (line) => codexIds(line, CODEX_CALLS),
  results: (line) => codexIds(line, CODEX_RESULTS),
  withoutResults: (line, ids) =>
    codexIds(line, CODEX_RESULTS).some((id) => ids.has(id)) ? undefined : line,
  answer(line, ids) {
    const item = recordOf(line.payload ?? line);
    const type =
      item.type === 'custom_tool_call' ? 'custom_tool_call_output' : 'function_call_output';
    return ids.map((callId) => {
      const answer = { type, call_id: callId, output: UNKNOWN_OUTCOME };
      if (line.payload === undefined) return answer;
      return { timestamp: line.timestamp, type: 'response_item', payload: answer };
    });
  },
};

function codexIds(line: TranscriptLine, types: ReadonlySet<unknown>): readonly string[] {
  if (line.payload !== undefined && line.type !== 'response_item') return [];
  const item = recordOf(line.payload ?? line);
  return types.has(item.type) ? idOf('call_id')(item) : [];
}

const pi: CallRules = {
  links: { id: 'id', parent: 'parentId' },
  calls: (line) => partsOf(line.message).filter(isType('toolCall')).flatMap(idOf('id')),
  results(line) {
    const message = recordOf(line.message);
    return message.role === 'toolResult' ? idOf('toolCallId')(message) : [];
  },
  withoutResults: (line, ids) => (pi.results(line).some((id) => ids.has(id)) ? undefined : line),
  answer(line, ids) {
    let parentId = textOf(line.id) ?? null;
    return ids.map((toolCallId) => {
      const id = derivedUuid(`${String(line.id)} ${toolCallId}`).slice(0, 8);
      const content = [{ type: 'text', text: UNKNOWN_OUTCOME }];
      const message = { role: 'toolResult', toolCallId, content, isError: true };
      const answer = { type: 'message', id, parentId, timestamp: line.timestamp, message };
      parentId = id;
      return answer;
    });
  },
};

/** In Gemini CLI a call and its result are one record, so only torn lines are possible. */
const linesOnly: CallRules = {
  calls: () => [],
  results: () => [],
  withoutResults: (line) => line,
  answer: () => [],
};

/** By type; transcripts of other agents have no lines to repair. */
export const CALL_RULES: ReadonlyMap<string, CallRules> = new Map([
  ['claude-agent-sdk', claude],
  ['codex', codex],
  ['pi', pi],
  ['gemini-cli', linesOnly],
]);

function partsOf(message: unknown): TranscriptLine[] {
  const { content } = recordOf(message);
  return Array.isArray(content) ? content.map(recordOf) : [];
}

function recordOf(value: unknown): TranscriptLine {
  return typeof value === 'object' && value !== null ? (value as TranscriptLine) : {};
}

function isType(type: string): (part: TranscriptLine) => boolean {
  return (part) => part.type === type;
}

function idOf(field: string): (part: TranscriptLine) => readonly string[] {
  return (part) => {
    const id = textOf(part[field]);
    return id === undefined ? [] : [id];
  };
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** Deterministic, so that repairing twice gives the same file. */
function derivedUuid(seed: string): string {
  const hex = createHash('sha1').update(seed).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
