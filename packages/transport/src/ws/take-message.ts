import { assertRole, type Identity, type Role, roleOfCommand } from '../admission/roles.ts';
import { parseInput } from '../live/parse-input.ts';
import { answerPermission } from '../live/permission-answer.ts';
import { promptContent } from '../live/prompt-content.ts';
import { runCommand } from '../live/run-command.ts';
import type { SessionChannel } from '../live/session-channel.ts';
import type { SessionDoor } from '../live/session-door.ts';
import { type ClientMessage, clientMessageSchema, type Reply } from '../protocol.ts';

/** Whose message it is, and what it is about. */
export interface MessagePlace {
  readonly channel: SessionChannel;
  readonly door: SessionDoor;
  readonly identity: Identity;
}

export function readMessage(text: string): ClientMessage {
  return parseInput(text, clientMessageSchema, 'invalid_message');
}

/** Does what a client says, and returns what only this client is to hear. */
export async function takeMessage(
  place: MessagePlace,
  message: ClientMessage,
): Promise<Reply | undefined> {
  assertRole(place.identity, roleOf(message));
  return obey(place, message);
}

function roleOf(message: ClientMessage): Role {
  switch (message.type) {
    case 'permission_response':
    case 'answer':
      return 'approve';
    case 'change':
      return message.changes.permission_mode === undefined ? 'prompt' : 'approve';
    case 'command':
      return roleOfCommand(message.name);
    case 'ping':
    case 'costs':
      return 'read';
    default:
      return 'prompt';
  }
}

async function obey(place: MessagePlace, message: ClientMessage): Promise<Reply | undefined> {
  const { channel, identity } = place;
  const about = { session_id: channel.view.sessionId };
  switch (message.type) {
    case 'user':
      return ask(place, message);
    case 'command': {
      const { name, args, message_id } = message;
      const result = await runCommand(channel.session, name, args);
      return { type: 'command_result', ...about, message_id, name, ...result };
    }
    case 'permission_response': {
      const { request_id } = message;
      const decision = { ...message, user: identity.user };
      const accepted = await answerPermission(channel.session, request_id, decision);
      return { type: 'permission_answer', ...about, request_id, accepted };
    }
    case 'answer': {
      const { question_id, answer, message_id } = message;
      const accepted = await channel.session.answer(question_id, answer, { user: identity.user });
      return { type: 'answer_result', ...about, question_id, message_id, accepted };
    }
    case 'ping':
      return { type: 'pong' };
    default:
      return {
        type: 'done',
        ...about,
        message_id: message.message_id,
        ...(await act(place, message)),
      };
  }
}

type Act = Extract<
  ClientMessage,
  { type: 'abort' | 'cancel_queue' | 'change' | 'compact' | 'fork' | 'costs' }
>;

/** What is answered with `done`. */
async function act({ channel, door }: MessagePlace, message: Act): Promise<Partial<DoneReply>> {
  switch (message.type) {
    case 'abort':
      await channel.session.abort();
      return {};
    case 'cancel_queue':
      await channel.session.cancelQueue();
      return {};
    case 'change': {
      const { permission_mode: permissionMode, ...changes } = message.changes;
      await channel.session.change({ ...changes, permissionMode });
      return {};
    }
    case 'compact':
      await channel.session.compact(message.instructions);
      return {};
    case 'fork':
      return { forked: (await door.fork(channel.view.sessionId)).sessionId };
    case 'costs':
      return { costs: await channel.view.getCosts() };
  }
}

type DoneReply = Extract<Reply, { type: 'done' }>;

/** The result comes as an event; one that came before is told again to whoever asks again. */
async function ask(
  { channel, identity }: MessagePlace,
  { message, message_id: messageId }: Extract<ClientMessage, { type: 'user' }>,
): Promise<Reply> {
  const { text, parts } = promptContent(message.content);
  const options = { messageId, parts, user: identity.user };
  const prompt = await channel.prompts.submit(text, options);
  const { seq, part, result } = prompt;
  const accepted = {
    type: 'prompt_accepted',
    session_id: channel.view.sessionId,
    message_id: prompt.messageId,
    seq,
    part,
  } as const;
  return prompt.isRepeat && result ? { ...accepted, result } : accepted;
}
