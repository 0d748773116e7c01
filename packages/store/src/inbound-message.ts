/** A message from a surface, as the runtime passes it to capability handlers. */
export interface InboundMessage {
  id: string;
  surfaceId: string;
  sessionId?: string;
  userId: string;
  workspaceId?: string;
  text: string;
  raw: unknown;
  receivedAt: string;
  capability: string;
}

/** The part of an InboundMessage that decides which session it belongs to. */
export type SessionResolvableMessage = Pick<
  InboundMessage,
  'userId' | 'workspaceId' | 'surfaceId' | 'sessionId'
>;
