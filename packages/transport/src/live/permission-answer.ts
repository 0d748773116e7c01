import type { InteractiveSession, PermissionAnswer } from '@robota-sdk/agent-sdk';
import type { PermissionDecisionMessage } from '../protocol.ts';

/** Answers a question once; false when it is unknown or somebody was faster. */
export function answerPermission(
  session: InteractiveSession,
  requestId: string,
  decision: PermissionDecisionMessage,
): boolean {
  const request = session.getPendingPermissions().find((open) => open.requestId === requestId);
  if (!request) return false;
  const pattern = decision.pattern ?? request.explanation?.suggestedPattern;
  return session.answerPermission(requestId, answerOf(decision, pattern));
}

function answerOf(
  { decision, message }: PermissionDecisionMessage,
  pattern: string | undefined,
): PermissionAnswer {
  if (decision === 'deny') return message ? { deny: message } : false;
  if (decision === 'allow') return true;
  const scope = decision === 'allow-session' ? 'session' : 'project';
  if (pattern !== undefined) return { allow: scope, pattern };
  // Without a rule to write down, a project-wide yes is a yes for this call.
  return scope === 'session' ? 'allow-session' : true;
}
