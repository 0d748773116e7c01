import type { AgentSandbox } from '../agent-sandbox/agent-sandbox.ts';
import type { RawSubagentTranscript, RawTranscripts } from '../parsed-transcript.ts';
import type { TranscriptPersistence } from '../persistence/transcript-persistence.ts';

/** Copies what the agent appends to its transcripts to the persistence, in order and each byte once. */
export class TranscriptSync {
  readonly #sessionId: string;
  readonly #persistence: TranscriptPersistence;
  readonly #copies = new Map<string, Copy>();

  constructor(sessionId: string, persistence: TranscriptPersistence, saved: RawTranscripts) {
    this.#sessionId = sessionId;
    this.#persistence = persistence;
    if (saved.main !== undefined) this.#copies.set(MAIN, copyOf(saved.main, undefined));
    for (const { id, transcript, meta } of saved.subagents ?? []) {
      this.#copies.set(id, copyOf(transcript ?? '', meta));
    }
  }

  /** What is saved. */
  get transcripts(): RawTranscripts {
    const subagents = [...this.#copies]
      .filter(([id]) => id !== MAIN)
      .map(([id, { text, meta }]): RawSubagentTranscript => ({ id, transcript: text, meta }));
    return { main: this.#copies.get(MAIN)?.text, subagents };
  }

  /** `lines` skips an incomplete last line. */
  async run(
    sandbox: AgentSandbox,
    agentSessionId: string,
    extent: 'lines' | 'everything',
  ): Promise<void> {
    const { main, subagents } = await sandbox.findTranscripts(agentSessionId);
    if (main !== undefined) await this.#copy(sandbox, { id: MAIN, path: main }, extent);
    for (const file of subagents) await this.#copy(sandbox, file, extent);
  }

  async #copy(
    sandbox: AgentSandbox,
    file: { readonly id: string; readonly path: string; readonly metaPath?: string },
    extent: 'lines' | 'everything',
  ): Promise<void> {
    const copy = this.#copies.get(file.id) ?? copyOf('', undefined);
    // A few bytes are read again to detect a file that was rewritten.
    const from = Math.max(0, copy.length - OVERLAP_BYTES);
    const read = await sandbox.readFile(file.path, from);
    const bytes = read && fromCharacterStart(read);
    const offset = from + (read?.length ?? 0) - (bytes?.length ?? 0);
    const meta = file.metaPath && (await sandbox.readFile(file.metaPath))?.toString('utf8');
    const fresh = bytes && completeText(bytes, extent);
    const isMetaNew = meta !== undefined && meta !== copy.meta;
    if (fresh === undefined || (fresh.length <= copy.length - offset && !isMetaNew)) return;
    const piece = { subagentId: file.id === MAIN ? undefined : file.id, offset, meta };
    await this.#persistence.appendTranscript(this.#sessionId, {
      ...piece,
      text: fresh.toString('utf8'),
    });
    const added = fresh.subarray(Math.min(fresh.length, copy.length - offset));
    this.#copies.set(file.id, {
      text: copy.text + added.toString('utf8'),
      length: copy.length + added.length,
      meta: meta ?? copy.meta,
    });
  }
}

interface Copy {
  readonly text: string;
  /** In bytes. */
  readonly length: number;
  readonly meta: string | undefined;
}

function copyOf(text: string, meta: string | undefined): Copy {
  return { text, length: Buffer.byteLength(text), meta };
}

/** Cuts after the last complete line, or for `everything` after the last complete character. */
function completeText(bytes: Buffer, extent: 'lines' | 'everything'): Buffer {
  if (extent === 'lines') return bytes.subarray(0, bytes.lastIndexOf(NEWLINE) + 1);
  for (let end = bytes.length; end > bytes.length - 4 && end > 0; end--) {
    const byte = bytes[end - 1] ?? 0;
    if (byte < 0x80) return bytes.subarray(0, end);
    if (byte >= 0xc0)
      return bytes.subarray(0, isCharacterComplete(bytes, end - 1) ? bytes.length : end - 1);
  }
  return bytes;
}

function isCharacterComplete(bytes: Buffer, start: number): boolean {
  const lead = bytes[start] ?? 0;
  if (lead >= 0xf0) return bytes.length - start >= 4;
  return bytes.length - start >= (lead >= 0xe0 ? 3 : 2);
}

function fromCharacterStart(bytes: Buffer): Buffer {
  const start = bytes.findIndex((byte) => byte < 0x80 || byte >= 0xc0);
  return start === -1 ? bytes.subarray(bytes.length) : bytes.subarray(start);
}

const NEWLINE = 0x0a;
const OVERLAP_BYTES = 256;
const MAIN = '';
