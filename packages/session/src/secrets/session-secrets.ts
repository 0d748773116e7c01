import { randomBytes } from 'node:crypto';
import type { Message } from '@robota-sdk/agent-core';
import {
  createRedactor,
  type Entry,
  type FoundSecret,
  findNamedSecrets,
  type NamedSecret,
  type Redactor,
  restoreText,
  restoreValue,
  type SessionState,
} from '@robota-sdk/agent-core/log';
import type { SecretVault } from './secret-vault.ts';

/** Whose secrets they are and where they are kept. */
export interface SessionSecretsOptions {
  /** Where the values are kept; without one they are not, and a resumed model sees placeholders. */
  readonly vault?: SecretVault | undefined;
  /** What stands for the value of a secret name. */
  readonly mark?: string | undefined;
}

/** What one session does with secrets: placeholders in everything that is written, the values for the model alone. */
export class SessionSecrets {
  readonly redactor: Redactor;
  readonly #mark: string;
  readonly #vault: SecretVault | undefined;
  readonly #redacted = new WeakMap<object, unknown>();

  constructor({ vault, mark = '[REDACTED]' }: SessionSecretsOptions = {}) {
    this.#vault = vault;
    this.#mark = mark;
    this.redactor = createRedactor({
      salt: vault?.salt ?? randomBytes(16).toString('hex'),
      mark,
      ...(vault && { onSecret: (secret: FoundSecret) => vault.add(secret) }),
    });
  }

  /** False while secrets could not be put into the vault. */
  get isSaving(): boolean {
    return this.#vault?.flush() ?? true;
  }

  /** Before an entry is written: values that its placeholders cannot name go into the vault by their owner. */
  keep(entry: Entry): void {
    if (!this.#vault) return;
    const { message, messages, state, result, toolCallId } = entry;
    if (entry.event === 'history_mutation') {
      this.#keepMessage(message);
      for (const each of listOf(messages)) this.#keepMessage(each);
    }
    if (entry.event === 'session_restored') {
      const { messages: inherited } = (state ?? {}) as { readonly messages?: unknown };
      for (const each of listOf(inherited)) this.#keepMessage(each);
    }
    if (entry.event === 'tool_execution_result' && typeof result === 'object') {
      this.#keepNamed(resultOwner(String(toolCallId)), { result });
    }
  }

  /** The list as it may be written. Its items never change, so each is looked at once. */
  redactList(items: readonly unknown[]): unknown[] {
    return items.map((item) => {
      if (typeof item !== 'object' || item === null) return this.redactor.redactValue(item);
      const known = this.#redacted.get(item);
      if (known !== undefined) return known;
      const clean = this.redactor.redactValue(item);
      this.#redacted.set(item, clean);
      return clean;
    });
  }

  /** The message as the model was sent it, as far as the vault knows. */
  restoreMessage<Sent extends Message>(message: Sent): Sent {
    return this.#restore(message, messageOwner(message.id));
  }

  /** A session's past with everything in it that the model will be sent again. */
  restoreState(state: Readonly<SessionState>): SessionState {
    if (!this.#vault || this.#vault.isEmpty) return { ...state };
    const { turn } = state;
    return {
      ...state,
      messages: state.messages.map((message) => this.restoreMessage(message)),
      turn: turn?.round ? { ...turn, round: this.#restore(turn.round, '') } : turn,
      calls: Object.fromEntries(
        Object.entries(state.calls).map(([id, call]) => {
          const { result } = call;
          return [id, result ? { ...call, result: this.#restore(result, resultOwner(id)) } : call];
        }),
      ),
    };
  }

  /** Whether the model would see placeholders where it saw secrets. */
  areMissingIn(messages: readonly Message[]): boolean {
    // With a vault, a mark without an id is what somebody said.
    const shape = this.#vault && !this.#vault.isEmpty ? WITH_ID : ANY_PLACEHOLDER;
    return messages.some((message) => holdsText(message, shape));
  }

  restoreText(text: string): string {
    return restoreText(text, (id) => this.#vault?.lookup(id));
  }

  close(): void {
    this.#vault?.close();
  }

  #restore<Value>(value: Value, owner: string): Value {
    const vault = this.#vault;
    if (!vault) return value;
    // A message that was changed since has other values there, which stay.
    const named = vault.namedOf(owner).filter(({ path }) => valueAt(value, path) === this.#mark);
    return restoreValue(value, { lookup: (id) => vault.lookup(id), named });
  }

  #keepMessage(message: unknown): void {
    const { id } = (message ?? {}) as { readonly id?: unknown };
    if (typeof id === 'string') this.#keepNamed(messageOwner(id), message);
  }

  #keepNamed(owner: string, value: unknown): void {
    for (const secret of findNamedSecrets(value)) this.#vault?.addNamed(owner, secret);
  }
}

function messageOwner(id: string): string {
  return `message:${id}`;
}

function resultOwner(toolCallId: string): string {
  return `result:${toolCallId}`;
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function valueAt(value: unknown, path: NamedSecret['path']): unknown {
  let found = value;
  for (const step of path) {
    if (typeof found !== 'object' || found === null) return undefined;
    found = (found as Record<string | number, unknown>)[step];
  }
  return found;
}

const WITH_ID = /\[REDACTED:[a-z0-9-]+:[a-z0-9]{10}\]/;
const ANY_PLACEHOLDER = /\[REDACTED(?::[a-z0-9-]+){0,2}\]/;

function holdsText(value: unknown, shape: RegExp): boolean {
  if (typeof value === 'string') return shape.test(value);
  if (typeof value !== 'object' || value === null) return false;
  return Object.values(value).some((child) => holdsText(child, shape));
}
