import { randomUUID } from 'node:crypto';
import type { HistoryEntry } from '@robota-sdk/agent-core';
import type { Session } from '@robota-sdk/agent-session';
import type { ExtensionHost } from '../assembly/session-extension.ts';
import { permissionAnswerOf } from '../live/engine-question.ts';
import type { PermissionBroker } from './permission-broker.ts';

/** The part of the host that exists before the session; `SessionLifecycle` adds record, log and relay. */
type EarlyExtensionHost = Omit<ExtensionHost, 'record' | 'log' | 'relay'>;

export interface ExtensionHostParts
  extends Pick<EarlyExtensionHost, 'notice' | 'submit' | 'idle' | 'abortSignal'> {
  readonly broker: PermissionBroker;
  /** Undefined before the session is assembled. */
  readonly engine: () => Session | undefined;
  readonly addHistoryEntry: (entry: HistoryEntry) => void;
}

/** Lets extensions notify, ask and submit through their session. */
export function extensionHostFor(parts: ExtensionHostParts): EarlyExtensionHost {
  const { broker, notice, submit, idle, abortSignal } = parts;
  const ask: EarlyExtensionHost['ask'] = (question) => broker.askLogged(question, parts.engine());
  return {
    notice,
    submit,
    idle,
    abortSignal,
    askPermission: async (toolName, toolArgs, request) =>
      permissionAnswerOf((await ask({ toolName, toolArgs, ...request })).answer),
    permissionHandler: (toolName, toolArgs, request) =>
      broker.askPermission({ toolName, toolArgs, ...request }),
    ask,
    addHistoryEvent: (type, data) => {
      const id = randomUUID();
      parts.addHistoryEntry({ id, timestamp: new Date(), category: 'event', type, data });
    },
  };
}
