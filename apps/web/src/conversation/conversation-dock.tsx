import type { SentPrompt } from '@robota-sdk/agent-transport/react';
import { X } from 'lucide-react';
import { type RefObject, useState } from 'react';
import type { PromptPart } from '../api.ts';
import { usePage } from '../page-context.ts';
import type { Attachment } from '../prompt/attachments.ts';
import { PromptBox } from '../prompt/prompt-box.tsx';
import { questionOfAgent, questionOfRequest } from '../question/open-question.ts';
import { QuestionCard } from '../question/question-card.tsx';
import type { ConversationPageProps } from './conversation-page.tsx';

interface ConversationDockProps extends ConversationPageProps {
  readonly questionRef: RefObject<HTMLElement | null>;
  readonly onFork: () => void;
  readonly onTakeOver: () => void;
  readonly onSent: () => void;
}

/** Below the conversation: what waits for an answer, what waits its turn, and where to type. */
export function ConversationDock(props: ConversationDockProps) {
  const { live, store, details, questionRef } = props;
  const { api, announce } = usePage();
  const { session } = details;
  const report = (error: Error) => announce(error.message);
  if (!store || !live || session.access !== 'drive') return <ReadOnlyDock {...props} />;
  const questions = [
    ...live.questions.map(questionOfRequest),
    ...(details.questions ?? []).map(questionOfAgent),
  ];
  const [question] = questions;
  const send = (text: string, pictures: readonly Attachment[]) => {
    props.onSent();
    if (pictures.length > 0) api.submitParts(session.id, partsOf(text, pictures)).catch(report);
    else store.submit(text).then(undefined, report);
  };
  const decided = (isFirst: boolean) => {
    if (!isFirst) announce('Somebody else has answered already.');
  };
  return (
    <div className="dock">
      {question && (
        <QuestionCard
          key={question.id}
          ref={questionRef}
          question={question}
          project={session.project}
          onDecide={(decision) => {
            store.answer(question.id, decision).then(decided, report);
          }}
          onAnswer={(answers) => {
            api.answerQuestion(session.id, question.id, answers).catch(report);
          }}
        />
      )}
      {questions.length > 1 && (
        <p className="faint question-more">{questions.length - 1} more after this one</p>
      )}
      <Queue sent={live.isExecuting ? live.sent : []} onClear={() => store.cancelQueue()} />
      <DockPrompt {...props} onSend={send} />
    </div>
  );
}

interface DockPromptProps extends ConversationDockProps {
  readonly onSend: (text: string, pictures: readonly Attachment[]) => void;
}

function DockPrompt({ details, live, store, onSend }: DockPromptProps) {
  const { api, announce } = usePage();
  const { session } = details;
  const [model, setModel] = useState(session.model);
  const [mode, setMode] = useState(session.permission_mode);
  const change = (changes: { model?: string; permission_mode?: string }) => {
    api.changeSession(session.id, changes).catch((error: Error) => announce(error.message));
  };
  const waiting = live?.sent ?? [];
  return (
    <PromptBox
      sessionId={session.id}
      isBusy={live?.isExecuting === true}
      hasQueue={waiting.length > 0}
      commands={details.commands ?? []}
      model={model}
      models={details.models ?? []}
      mode={mode}
      modes={details.permission_modes ?? []}
      onModel={(name) => {
        setModel(name);
        change({ model: name });
      }}
      onMode={(name) => {
        setMode(name);
        change({ permission_mode: name });
      }}
      onSend={onSend}
      onStop={() => store?.abort()}
      onTakeBack={() => {
        store?.cancelQueue();
        return waiting.at(-1)?.text ?? '';
      }}
    />
  );
}

function partsOf(text: string, pictures: readonly Attachment[]): PromptPart[] {
  const images = pictures.map(
    ({ data, mediaType }): PromptPart => ({
      type: 'image',
      source: { type: 'base64', data, mediaType },
    }),
  );
  return text === '' ? images : [...images, { type: 'text', text }];
}

interface QueueProps {
  readonly sent: readonly SentPrompt[];
  readonly onClear: () => void;
}

function Queue({ sent, onClear }: QueueProps) {
  if (sent.length === 0) return null;
  return (
    <ol className="queue" aria-label="Waiting prompts">
      {sent.map(({ messageId, text }, index) => (
        <li key={messageId}>
          <span className="faint numeric">{index + 1}</span>
          <span className="ellipsis grow" dir="auto">
            {text}
          </span>
          {index === sent.length - 1 && (
            <button
              type="button"
              className="icon-button"
              aria-label="Drop the waiting prompts"
              onClick={onClear}
            >
              <X aria-hidden="true" />
            </button>
          )}
        </li>
      ))}
    </ol>
  );
}

function ReadOnlyDock({ details, onFork, onTakeOver }: ConversationDockProps) {
  const { access } = details.session;
  const words =
    access === 'follow'
      ? 'Following. Prompts are closed while another program holds the session.'
      : 'Reading. Continue it here to go on.';
  return (
    <div className="dock">
      <div className="prompt prompt-closed">
        <span className="grow dim">{words}</span>
        <button type="button" className="button" onClick={onFork}>
          Fork here
        </button>
        <button type="button" className="button button-primary" onClick={onTakeOver}>
          {access === 'follow' ? 'Take over' : 'Continue'}
        </button>
      </div>
    </div>
  );
}
