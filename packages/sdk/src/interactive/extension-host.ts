import { randomUUID } from 'node:crypto';
import type { HistoryEntry } from '@robota-sdk/agent-core';
import type { Session } from '@robota-sdk/agent-session';
import type { ExtensionHost } from '../assembly/session-extension.ts';
import { permissionAnswerOf } from '../live/engine-question.ts';
import type { PermissionBroker } from './permission-broker.ts';

/** What a session lends to its extensions; the record and the log come with the session itself. */
type LentHost = Omit<ExtensionHost, 'record' | 'log' | 'relay'>;

export interface ExtensionHostParts
  extends Pick<LentHost, 'notice' | 'submit' | 'idle' | 'abortSignal'> {
  readonly broker: PermissionBroker;
  /** Undefined before the session is assembled. */
  readonly engine: () => Session | undefined;
  readonly addHistoryEntry: (entry: HistoryEntry) => void;
}

/** Extensions speak, ask and submit through the session they extend. */
export function extensionHostFor(parts: ExtensionHostParts): LentHost {
  const { broker, notice, submit, idle, abortSignal } = parts;
  const ask: LentHost['ask'] = (question) => broker.askLogged(question, parts.engine());
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
