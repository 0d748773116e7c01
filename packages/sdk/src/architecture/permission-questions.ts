import { redactText } from '@robota-sdk/agent-session';
import type { AskPermission } from '@robota-sdk/agent-transcript/architectures';
import type { InteractiveSession } from '../interactive/interactive-session.ts';
import type { PermissionAnswer, PermissionRequest } from '../interactive/permission-broker.ts';

/** Passes the session's questions to the callback until the returned function is called. */
export function putQuestions(
  session: InteractiveSession,
  ask: AskPermission | undefined,
  signal: AbortSignal,
): () => void {
  // Without a listener the session denies by itself.
  if (ask === undefined) return () => undefined;
  const listener = (request: PermissionRequest) => {
    void answerOf(request, ask, signal).then((answer) =>
      session.answerPermission(request.requestId, answer),
    );
  };
  session.on('permission_request', listener);
  return () => session.off('permission_request', listener);
}

async function answerOf(
  { requestId, toolName, toolArgs, toolCallId, explanation }: PermissionRequest,
  ask: AskPermission,
  signal: AbortSignal,
): Promise<PermissionAnswer> {
  const question = {
    id: requestId,
    toolName,
    input: toolArgs,
    conversationId: 'main',
    ...(toolCallId !== undefined && { toolUseId: toolCallId }),
    ...(explanation !== undefined && { description: explanation.reason }),
  };
  try {
    return await ask(question, signal);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { deny: `The question could not be answered: ${redactText(reason)}` };
  }
}
