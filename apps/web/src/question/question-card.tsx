import {
  describeTool,
  neutraliseEscapes,
  type Question,
  type QuestionField,
  type ToolUseBlock,
} from '@robota-sdk/agent-transcript';
import type { PermissionDecisionMessage } from '@robota-sdk/agent-transport/protocol';
import { ShieldQuestion } from 'lucide-react';
import { type KeyboardEvent, type Ref, useEffect, useId, useMemo, useRef, useState } from 'react';
import { DiffView } from '../blocks/diff-view.tsx';
import { useShortPaths } from '../blocks/project-folder.ts';
import { DiffCounts } from '../blocks/tool-call.tsx';
import type { OpenQuestion } from './open-question.ts';

interface QuestionCardProps {
  readonly question: OpenQuestion;
  readonly project: string;
  /** False when this page may only view it. */
  readonly isAnswerable: boolean;
  readonly onDecide: (decision: PermissionDecisionMessage) => void;
  readonly onAnswer: (answers: Readonly<Record<string, string>>) => void;
  /** Called with an unsent reason when another surface answered first. */
  readonly onUnsent: (words: string) => void;
  readonly ref?: Ref<HTMLElement>;
}

/** Keys are ignored this long, so that a key meant for something else does not answer a new question. */
const IGNORE_KEYS_MS = 500;

/** A question for the user. The card never takes the focus by itself. */
export function QuestionCard(props: QuestionCardProps) {
  const { question } = props;
  const title = useId();
  const reason = useId();
  const shownAt = useRef(performance.now());
  const view = useMemo(() => describeTool(callOf(question)), [question]);
  const short = useShortPaths();
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    if (!props.isAnswerable) return;
    if (performance.now() - shownAt.current < IGNORE_KEYS_MS || question.fields) return;
    props.onDecide({ decision: 'allow' });
  };
  return (
    <section
      ref={props.ref}
      className="question"
      role="alertdialog"
      aria-labelledby={title}
      aria-describedby={reason}
      tabIndex={-1}
      onKeyDown={onKeyDown}
    >
      <header>
        <ShieldQuestion aria-hidden="true" />
        <span id={title} className="grow question-title">
          {view.verb} <span className="mono">{short(neutraliseEscapes(view.target))}</span>?
        </span>
        {view.diff && <DiffCounts added={view.diff.added} removed={view.diff.removed} />}
      </header>
      <p id={reason} className="question-reason" dir="auto">
        {neutraliseEscapes(question.explanation ?? 'The agent asks before it does this.')}
      </p>
      <QuestionBody question={question} />
      {!props.isAnswerable && (
        <p className="question-buttons dim">A user with the role “approve” has to answer.</p>
      )}
      {props.isAnswerable && question.fields && (
        <QuestionForm
          fields={question.fields}
          onAnswer={props.onAnswer}
          onDecide={props.onDecide}
        />
      )}
      {props.isAnswerable && !question.fields && <QuestionButtons {...props} />}
    </section>
  );
}

function callOf(question: Pick<Question, 'id' | 'toolName' | 'input'>): ToolUseBlock {
  const { id, toolName, input } = question;
  return {
    type: 'tool_use',
    id,
    toolUseId: id,
    timestamp: '',
    toolName,
    input,
    status: 'pending',
  };
}

function QuestionBody({ question }: { readonly question: OpenQuestion }) {
  const view = useMemo(() => describeTool(callOf(question)), [question]);
  if (view.diff) {
    return (
      <div className="question-body">
        <DiffView diff={view.diff} path={view.target} />
      </div>
    );
  }
  if (question.fields || view.fields.length === 0) return null;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the content may be taller than the card.
    <section className="question-body" tabIndex={0} aria-label="Details of the question">
      {view.fields.map(({ name, value }) => (
        <pre key={name} dir="ltr">
          {view.fields.length > 1 && <span className="faint">{name} </span>}
          {neutraliseEscapes(value)}
        </pre>
      ))}
    </section>
  );
}

function QuestionButtons({ question, project, onDecide, onUnsent }: QuestionCardProps) {
  const [isDenying, setDenying] = useState(false);
  const [message, setMessage] = useState('');
  const unsent = useUnsentText(message, onUnsent);
  if (isDenying) {
    const deny = () => {
      unsent.current = '';
      onDecide({ decision: 'deny', ...(message !== '' && { message }) });
    };
    return (
      <form className="question-buttons" action={deny}>
        <input
          className="grow field"
          aria-label="Reason for the agent"
          placeholder="Say why (optional)"
          value={message}
          onChange={(event) => setMessage(event.target.value)}
        />
        <button type="submit" className="button">
          Deny
        </button>
        <button type="button" className="button" onClick={() => setDenying(false)}>
          Back
        </button>
      </form>
    );
  }
  const rule = question.pattern && neutraliseEscapes(question.pattern);
  return (
    <div className="question-buttons">
      <button
        type="button"
        className="button button-primary"
        onClick={() => onDecide({ decision: 'allow' })}
      >
        Allow once <kbd>Ctrl ↵</kbd>
      </button>
      {question.allows('allow-session') && (
        <button
          type="button"
          className="button"
          title={rule}
          onClick={() => onDecide({ decision: 'allow-session' })}
        >
          For this session
        </button>
      )}
      {question.allows('allow-project') && (
        <button
          type="button"
          className="button"
          title={rule}
          onClick={() => onDecide({ decision: 'allow-project' })}
        >
          Always in {project}
        </button>
      )}
      <span className="grow" />
      <button type="button" className="button" onClick={() => setDenying(true)}>
        Deny…
      </button>
    </div>
  );
}

/** Reports unsent text when the question closes; cleared on sending. */
function useUnsentText(words: string, onUnsent: (words: string) => void) {
  const unsent = useRef(words);
  const hand = useRef(onUnsent);
  useEffect(() => {
    unsent.current = words;
    hand.current = onUnsent;
  }, [words, onUnsent]);
  useEffect(() => () => hand.current(unsent.current), []);
  return unsent;
}

interface QuestionFormProps extends Pick<QuestionCardProps, 'onAnswer' | 'onDecide'> {
  readonly fields: readonly QuestionField[];
}

function QuestionForm({ fields, onAnswer, onDecide }: QuestionFormProps) {
  const [answers, setAnswers] = useState<Readonly<Record<string, string>>>({});
  const isComplete = fields.every(({ name }) => (answers[name] ?? '').trim() !== '');
  // The card is reused for the next question; choices belong to one question.
  useEffect(() => setAnswers({}), []);
  return (
    <form
      className="question-form"
      onSubmit={(event) => {
        event.preventDefault();
        if (isComplete) onAnswer(answers);
      }}
    >
      {fields.map((field) => (
        <Field
          key={field.name}
          field={field}
          value={answers[field.name] ?? ''}
          onChange={(value) => setAnswers({ ...answers, [field.name]: value })}
        />
      ))}
      <div className="question-buttons">
        <button type="submit" className="button button-primary" disabled={!isComplete}>
          Answer
        </button>
        <span className="grow" />
        <button type="button" className="button" onClick={() => onDecide({ decision: 'deny' })}>
          Decline
        </button>
      </div>
    </form>
  );
}

interface FieldProps {
  readonly field: QuestionField;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

function Field({ field, value, onChange }: FieldProps) {
  const chosen = value === '' ? [] : value.split(', ');
  const toggle = (label: string) => {
    if (!field.isMultiple) onChange(label);
    else if (chosen.includes(label)) onChange(chosen.filter((one) => one !== label).join(', '));
    else onChange([...chosen, label].join(', '));
  };
  return (
    <fieldset>
      <legend dir="auto">{field.label}</legend>
      {field.options.map(({ label, description }) => (
        <label key={label} className="choice">
          <input
            type={field.isMultiple ? 'checkbox' : 'radio'}
            name={field.name}
            checked={chosen.includes(label)}
            onChange={() => toggle(label)}
          />
          <span dir="auto">
            {label}
            {description !== undefined && <span className="dim"> {description}</span>}
          </span>
        </label>
      ))}
      <input
        className="field"
        aria-label={`Other answer for: ${field.label}`}
        placeholder="Or in your own words"
        value={field.options.some(({ label }) => chosen.includes(label)) ? '' : value}
        onChange={(event) => onChange(event.target.value)}
      />
    </fieldset>
  );
}
