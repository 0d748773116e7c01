import type { ServerContext } from '@modelcontextprotocol/server';
import type { LiveQuestion, LiveSession } from '@robota-sdk/agent-sdk';
import { answerPermission } from '../live/permission-answer.ts';
import { permissionDecisionSchema } from '../protocol.ts';

/** Asks the user of the MCP client. No answer counts as a denial. */
export async function askClientPermission(
  session: LiveSession,
  question: LiveQuestion,
  context: ServerContext,
): Promise<void> {
  const decision = await elicit(question, context);
  await answerPermission(session, question.id, decision);
}

async function elicit({ toolName, input, explanation }: LiveQuestion, context: ServerContext) {
  const why = explanation ? `\n${explanation}` : '';
  try {
    const answer = await context.mcpReq.elicitInput(
      {
        message: `Allow ${toolName}?\n${JSON.stringify(input, null, 2)}${why}`,
        requestedSchema: {
          type: 'object',
          properties: {
            decision: {
              type: 'string',
              title: 'Decision',
              enum: ['allow', 'allow-session', 'deny'],
            },
          },
          required: ['decision'],
        },
      },
      { signal: context.mcpReq.signal },
    );
    const chosen = permissionDecisionSchema.safeParse(answer.content);
    if (answer.action === 'accept' && chosen.success) return chosen.data;
    return { decision: 'deny', message: 'The person at the client did not allow it.' } as const;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { decision: 'deny', message: `The client could not be asked: ${reason}` } as const;
  }
}
