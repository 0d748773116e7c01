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

/** Vault and placeholder of the secrets in a session. */
export interface SessionSecretsOptions {
  /** Stores the values; without it they are not stored, and a resumed model sees placeholders. */
  readonly vault?: SecretVault | undefined;
  /** Replacement for the value of a secret name. */
  readonly mark?: string | undefined;
}

/** Handles the secrets of one session: everything written gets placeholders, only the model gets the values. */
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

  /** False while secrets are missing from the vault. */
  get isSaving(): boolean {
    return this.#vault?.flush() ?? true;
  }

  /** Call before an entry is written: stores, by owner, values that placeholders cannot identify. */
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

  /** The redacted list. Items never change, so each is redacted once. */
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

  /** The message as sent to the model, as far as the vault knows the values. */
  restoreMessage<Sent extends Message>(message: Sent): Sent {
    return this.#restore(message, messageOwner(message.id));
  }

  /** The state with all values that the model will be sent again. */
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

  /** Whether the model would see placeholders instead of secrets. */
  areMissingIn(messages: readonly Message[]): boolean {
    // With a vault, a mark without an id is ordinary text of the conversation.
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
    // A message that changed since then has other values there, which stay.
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
