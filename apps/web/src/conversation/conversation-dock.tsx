import type { RemoteSessionState, SentPrompt } from '@robota-sdk/agent-transport/react';
import { Pencil, X } from 'lucide-react';
import { type RefObject, useEffect, useRef } from 'react';
import { usePage } from '../page-context.ts';
import type { Attachment } from '../prompt/attachments.ts';
import { PromptBox, type PromptBoxHandle } from '../prompt/prompt-box.tsx';
import { openQuestion } from '../question/open-question.ts';
import { QuestionCard } from '../question/question-card.tsx';
import type { ConversationPageProps } from './conversation-page.tsx';

interface ConversationDockProps extends ConversationPageProps {
  readonly questionRef: RefObject<HTMLElement | null>;
  readonly onFork: () => void;
  readonly onHandOver: () => void;
  readonly onSent: () => void;
}

/** Below the conversation: open questions, queued prompts and the prompt box. */
export function ConversationDock(props: ConversationDockProps) {
  const { live, store, details, questionRef } = props;
  const { announce, may } = usePage();
  const { session } = details;
  const report = (error: Error) => announce(error.message);
  const isWatched = useIsWatched();
  const prompt = useRef<PromptBoxHandle>(null);
  if (session.access !== 'drive' || live.isReadOnly || !may('prompt')) {
    return <ReadOnlyDock {...props} />;
  }
  const questions = live.questions.map(openQuestion);
  const [question] = questions;
  const send = (text: string, pictures: readonly Attachment[]) => {
    props.onSent();
    store.submit(text, pictures.map(pictureOf)).then((outcome) => {
      if (outcome.status === 'refused') announce(outcome.reason);
      if (outcome.status === 'failed' && isWatched.current) announce(outcome.error.message);
    }, report);
  };
  const keep = (words: string) => {
    if (words !== '') prompt.current?.edit(words);
  };
  const decided = (words: string) => (isFirst: boolean) => {
    if (isFirst) return;
    announce('This question was already answered.');
    keep(words);
  };
  return (
    <div className="dock">
      {question && (
        <QuestionCard
          key={question.id}
          ref={questionRef}
          question={question}
          project={session.project}
          isAnswerable={may('approve')}
          onDecide={(decision) => {
            const { message = '' } = decision as { readonly message?: string };
            store.answer(question.id, decision).then(decided(message), report);
          }}
          onAnswer={(answers) => {
            const words = Object.values(answers).join('\n');
            store.answerFields(question.id, answers).then(decided(words), report);
          }}
          onUnsent={keep}
        />
      )}
      {questions.length > 1 && (
        <p className="faint question-more">{questions.length - 1} more after this one</p>
      )}
      <Queue
        sent={live.isExecuting ? waitingPrompts(live) : []}
        onRemove={({ messageId }) => store.cancelQueue(messageId)}
        onEdit={({ messageId, text }) => {
          store.cancelQueue(messageId);
          prompt.current?.edit(text);
        }}
      />
      <DockPrompt {...props} prompt={prompt} onSend={send} />
    </div>
  );
}

interface DockPromptProps extends ConversationDockProps {
  readonly prompt: RefObject<PromptBoxHandle | null>;
  readonly onSend: (text: string, pictures: readonly Attachment[]) => void;
}

function DockPrompt({ details, live, store, prompt, onSend }: DockPromptProps) {
  const { api, announce } = usePage();
  const { session } = details;
  const change = (changes: { model?: string; permission_mode?: string }) => {
    api.changeSession(session, changes).catch((error: Error) => announce(error.message));
  };
  const waiting = waitingPrompts(live);
  return (
    <PromptBox
      ref={prompt}
      sessionId={session.id}
      isBusy={live.isExecuting === true}
      hasQueue={waiting.length > 0}
      commands={details.commands ?? []}
      model={live.model ?? session.model}
      models={details.models ?? []}
      mode={live.permissionMode ?? session.permission_mode}
      modes={details.permission_modes ?? []}
      onModel={(name) => change({ model: name })}
      onMode={(name) => change({ permission_mode: name })}
      onSend={onSend}
      onStop={() => store.abort()}
      onTakeBack={() => {
        const last = waiting.at(-1);
        if (last) store.cancelQueue(last.messageId);
        return last?.text ?? '';
      }}
    />
  );
}

/** False after unmounting: a connection closed by navigation is not an error, and the prompt continues. */
function useIsWatched(): RefObject<boolean> {
  const isWatched = useRef(true);
  useEffect(() => {
    isWatched.current = true;
    return () => {
      isWatched.current = false;
    };
  }, []);
  return isWatched;
}

function pictureOf({ data, mediaType }: Attachment) {
  return { type: 'image_inline', data, mimeType: mediaType } as const;
}

/** Queued prompts of all clients; own ones appear before the server confirms them. */
function waitingPrompts({ queue, sent }: RemoteSessionState): readonly SentPrompt[] {
  const known = new Set(queue.map(({ messageId }) => messageId));
  return [...queue, ...sent.filter(({ messageId }) => !known.has(messageId))];
}

interface QueueProps {
  readonly sent: readonly SentPrompt[];
  readonly onEdit: (prompt: SentPrompt) => void;
  readonly onRemove: (prompt: SentPrompt) => void;
}

function Queue({ sent, onEdit, onRemove }: QueueProps) {
  if (sent.length === 0) return null;
  return (
    <ol className="queue" aria-label="Queued prompts">
      {sent.map((prompt, index) => (
        <li key={prompt.messageId}>
          <span className="faint numeric">{index + 1}</span>
          <span className="ellipsis grow" dir="auto" title={prompt.text}>
            {prompt.text}
          </span>
          <button
            type="button"
            className="icon-button"
            aria-label={`Edit queued prompt ${index + 1}`}
            title="Edit"
            onClick={() => onEdit(prompt)}
          >
            <Pencil aria-hidden="true" />
          </button>
          <button
            type="button"
            className="icon-button"
            aria-label={`Remove queued prompt ${index + 1}`}
            title="Remove"
            onClick={() => onRemove(prompt)}
          >
            <X aria-hidden="true" />
          </button>
        </li>
      ))}
    </ol>
  );
}

function ReadOnlyDock({ details, live, onFork, onHandOver }: ConversationDockProps) {
  const { may } = usePage();
  if (!may('prompt')) {
    const waits = live.questions.length > 0 ? ' It waits for a user who may answer.' : '';
    return (
      <div className="dock">
        <div className="prompt prompt-closed">
          <span className="grow dim">You may look at this session, not change it.{waits}</span>
        </div>
      </div>
    );
  }
  const words =
    details.session.access === 'closed'
      ? 'Reading. Continue it here, or in another agent.'
      : 'Following. Another program runs this session, so it accepts no prompts here.';
  return (
    <div className="dock">
      <div className="prompt prompt-closed">
        <span className="grow dim">{words}</span>
        <button type="button" className="button" onClick={onHandOver}>
          Hand over
        </button>
        <button type="button" className="button button-primary" onClick={onFork}>
          Continue here
        </button>
      </div>
    </div>
  );
}
