import { parseInput } from '../live/parse-input.ts';
import { answerPermission } from '../live/permission-answer.ts';
import { runCommand } from '../live/run-command.ts';
import type { SessionChannel } from '../live/session-channel.ts';
import { type ClientMessage, clientMessageSchema, contentText, type Reply } from '../protocol.ts';

/** Does what a client says, and returns what only this client is to hear. */
export async function takeMessage(
  channel: SessionChannel,
  text: string,
  onMessageId: (id: string) => void,
): Promise<Reply | undefined> {
  const message = parseInput(text, clientMessageSchema, 'invalid_message');
  if ('message_id' in message && message.message_id) onMessageId(message.message_id);
  return obey(channel, message);
}

async function obey(channel: SessionChannel, message: ClientMessage): Promise<Reply | undefined> {
  const { session } = channel;
  const { sessionId } = session;
  switch (message.type) {
    case 'user':
      return ask(channel, message);
    case 'command': {
      const { name, args, message_id } = message;
      const result = await runCommand(session, name, args);
      return { type: 'command_result', session_id: sessionId, message_id, name, ...result };
    }
    case 'permission_response': {
      const { request_id } = message;
      const accepted = answerPermission(session, request_id, message);
      return { type: 'permission_answer', session_id: sessionId, request_id, accepted };
    }
    case 'abort':
      session.abort();
      return undefined;
    case 'cancel_queue':
      session.cancelQueue();
      return undefined;
    case 'ping':
      return { type: 'pong' };
  }
}

/** The result comes as an event; one that came before is told again to whoever asks again. */
async function ask(
  channel: SessionChannel,
  { message, message_id }: Extract<ClientMessage, { type: 'user' }>,
): Promise<Reply> {
  const prompt = await channel.prompts.submit(contentText(message.content), message_id);
  const { messageId, seq, result } = prompt;
  const accepted = {
    type: 'prompt_accepted',
    session_id: channel.session.sessionId,
    message_id: messageId,
    seq,
  } as const;
  return prompt.isRepeat && result ? { ...accepted, result } : accepted;
}
