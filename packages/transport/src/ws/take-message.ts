import {
  assertRole,
  type Identity,
  type Role,
  roleOfCommand,
  roleOfRewind,
} from '../admission/roles.ts';
import { parseInput } from '../live/parse-input.ts';
import { answerPermission } from '../live/permission-answer.ts';
import { promptContent } from '../live/prompt-content.ts';
import { runSessionCommand } from '../live/run-session-command.ts';
import type { SessionChannel } from '../live/session-channel.ts';
import type { SessionGateway } from '../live/session-gateway.ts';
import { type ClientMessage, clientMessageSchema, type Reply } from '../protocol.ts';

/** The sender of a message and the session it is for. */
export interface MessagePlace {
  readonly channel: SessionChannel;
  readonly gateway: SessionGateway;
  readonly identity: Identity;
}

export function readMessage(text: string): ClientMessage {
  return parseInput(text, clientMessageSchema, 'invalid_message');
}

/** Handles a client's message and returns the reply to this client. */
export async function takeMessage(
  place: MessagePlace,
  message: ClientMessage,
): Promise<Reply | undefined> {
  for (const role of rolesOf(message)) assertRole(place.identity, role);
  return handle(place, message);
}

/** Roles a message needs, as over HTTP: `prompt` to act, more to relax a rule or change files. */
function rolesOf(message: ClientMessage): readonly Role[] {
  switch (message.type) {
    case 'permission_response':
    case 'answer':
    case 'undo_rewind':
      return ['approve'];
    case 'change':
      return message.changes.permission_mode === undefined ? ['prompt'] : ['prompt', 'approve'];
    case 'command':
      return ['prompt', roleOfCommand(message.name, message.args)];
    case 'rewind':
      return ['prompt', roleOfRewind(message)];
    case 'ping':
    case 'costs':
      return ['read'];
    default:
      return ['prompt'];
  }
}

async function handle(place: MessagePlace, message: ClientMessage): Promise<Reply | undefined> {
  const { channel, identity } = place;
  const about = { session_id: channel.view.sessionId };
  switch (message.type) {
    case 'user':
      return ask(place, message);
    case 'command': {
      const { name, args, message_id } = message;
      const result = await runSessionCommand(channel.session, name, args);
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
  {
    type:
      | 'abort'
      | 'cancel_queue'
      | 'change'
      | 'compact'
      | 'fork'
      | 'preview_rewind'
      | 'rewind'
      | 'undo_rewind'
      | 'costs';
  }
>;

/** Handles requests answered with `done`. */
async function act({ channel, gateway }: MessagePlace, message: Act): Promise<Partial<DoneReply>> {
  switch (message.type) {
    case 'abort':
      await channel.session.abort();
      return {};
    case 'cancel_queue':
      await channel.session.cancelQueue(message.prompt_id);
      return {};
    case 'change': {
      const { permission_mode: permissionMode, model, name, language } = message.changes;
      const changes = { model, name, language };
      await channel.session.change({ ...changes, permissionMode });
      return {};
    }
    case 'compact':
      await channel.session.compact(message.instructions);
      return {};
    case 'fork':
      return { forked: (await gateway.fork(channel.view.sessionId, message.at)).sessionId };
    case 'preview_rewind':
      return { rewind_preview: await channel.session.previewRewind(message.to) };
    case 'rewind':
      return { rewind: await channel.session.rewind(message) };
    case 'undo_rewind':
      return { rewind: await channel.session.undoRewind(message) };
    case 'costs':
      return { costs: await channel.view.getCosts() };
  }
}

type DoneReply = Extract<Reply, { type: 'done' }>;

/** The result arrives as an event; for a repeated prompt it is included in the reply. */
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
