import type { LiveAnswer, LiveSession } from '@robota-sdk/agent-sdk';
import type { PermissionDecisionMessage } from '../protocol.ts';

/** Answers a question; false when it is unknown or already answered. */
export function answerPermission(
  session: LiveSession,
  requestId: string,
  { user, ...decision }: PermissionDecisionMessage & { readonly user?: string | undefined },
): Promise<boolean> {
  return session.answer(requestId, answerOf(decision), { user });
}

function answerOf({ decision, message, pattern }: PermissionDecisionMessage): LiveAnswer {
  if (decision === 'deny') return message ? { deny: message } : 'deny';
  if (decision === 'allow' || pattern === undefined) return decision;
  return { allow: decision === 'allow-session' ? 'session' : 'project', pattern };
}
