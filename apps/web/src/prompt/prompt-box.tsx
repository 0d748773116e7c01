import { ArrowUp, Square } from 'lucide-react';
import {
  type KeyboardEvent,
  type Ref,
  useEffect,
  useId,
  useImperativeHandle,
  useRef,
  useState,
} from 'react';
import { usePage } from '../page-context.ts';
import { type Attachment, readAttachments } from './attachments.ts';
import { complete, completionAt, storedDrafts } from './draft.ts';
import { type PromptAction, promptAction } from './prompt-keys.ts';
import { AttachButton, PromptPictures } from './prompt-pictures.tsx';
import { type PromptOptions, PromptSettings } from './prompt-settings.tsx';
import { SuggestionList } from './suggestion-list.tsx';
import { type Suggestion, useSuggestions } from './use-suggestions.ts';

export interface PromptBoxHandle {
  /** Inserts a text before the draft, to be edited and sent again. */
  edit(text: string): void;
}

export interface PromptBoxProps extends PromptOptions {
  readonly ref?: Ref<PromptBoxHandle>;
  readonly sessionId: string;
  readonly isBusy: boolean;
  /** Whether own prompts are queued; Up takes the last one back. */
  readonly hasQueue: boolean;
  readonly onSend: (text: string, pictures: readonly Attachment[]) => void;
  readonly onStop: () => void;
  /** Removes the last queued prompt and returns its text. */
  readonly onTakeBack: () => string;
}

/** The prompt input. A draft survives reloads and lost connections. */
export function PromptBox(props: PromptBoxProps) {
  const { sessionId, isBusy } = props;
  const { api, announce } = usePage();
  const [drafts] = useState(() => storedDrafts(sessionStorage));
  const [text, setText] = useState(() => drafts.read(sessionId));
  const [cursor, setCursor] = useState(0);
  const [isQuiet, setQuiet] = useState(false);
  const [chosen, setChosen] = useState(0);
  const [pictures, setPictures] = useState<readonly Attachment[]>([]);
  const area = useRef<HTMLTextAreaElement>(null);
  const list = useId();
  const completion = isQuiet ? undefined : completionAt(text, cursor);
  const suggestions = useSuggestions(completion, {
    api,
    sessionId,
    commands: props.commands,
  });
  useEffect(() => drafts.write(sessionId, text), [drafts, sessionId, text]);

  const put = (next: string, at = next.length) => {
    setText(next);
    setCursor(at);
    setChosen(0);
    setQuiet(false);
    requestAnimationFrame(() => area.current?.setSelectionRange(at, at));
  };
  useImperativeHandle(props.ref, () => ({
    edit(words) {
      put([words, text].filter((part) => part !== '').join('\n'));
      area.current?.focus();
    },
  }));
  const take = (suggestion: Suggestion | undefined) => {
    if (!completion || !suggestion) return;
    const done = complete(text, { from: completion.from, cursor, word: suggestion.word });
    put(done.text, done.cursor);
  };
  const send = () => {
    if (text.trim() === '' && pictures.length === 0) return;
    props.onSend(text.trim(), pictures);
    setPictures([]);
    put('');
  };
  const attach = async (files: readonly File[]) => {
    const read = await readAttachments(files);
    setPictures((before) => [...before, ...read.pictures]);
    for (const problem of read.problems) announce(problem);
  };
  const act: Readonly<Record<PromptAction, () => void>> = {
    up: () => setChosen((chosen - 1 + suggestions.length) % suggestions.length),
    down: () => setChosen((chosen + 1) % suggestions.length),
    quiet: () => setQuiet(true),
    stop: props.onStop,
    'take-back': () => put(props.onTakeBack()),
    take: () => take(suggestions[chosen]),
    send,
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const action = promptAction({
      key: event.key,
      isShift: event.shiftKey,
      isComposing: event.nativeEvent.isComposing,
      text,
      suggestion: suggestions[chosen]?.word,
      isBusy,
      hasQueue: props.hasQueue,
    });
    if (!action) return;
    event.preventDefault();
    event.stopPropagation();
    act[action]();
  };

  return (
    <div className="prompt">
      <SuggestionList id={list} suggestions={suggestions} chosen={chosen} onTake={take} />
      <PromptPictures pictures={pictures} onChange={setPictures} />
      <textarea
        ref={area}
        rows={1}
        dir="auto"
        aria-label="Prompt"
        placeholder="Ask, / for commands, @ for files"
        aria-autocomplete="list"
        aria-controls={suggestions.length > 0 ? list : undefined}
        aria-activedescendant={suggestions.length > 0 ? `${list}-${chosen}` : undefined}
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          setCursor(event.target.selectionStart);
          setChosen(0);
          setQuiet(false);
        }}
        onSelect={(event) => setCursor(event.currentTarget.selectionStart)}
        onPaste={(event) => {
          const files = [...event.clipboardData.files];
          if (files.length > 0) void attach(files);
        }}
        onDragOver={(event) => event.preventDefault()}
        onDrop={(event) => {
          event.preventDefault();
          void attach([...event.dataTransfer.files]);
        }}
        onKeyDown={onKeyDown}
      />
      <div className="prompt-tools">
        <PromptSettings {...props} />
        <AttachButton onFiles={(files) => void attach(files)} />
        <span className="grow" />
        <span className="faint prompt-hint">
          {isBusy ? 'Enter queues · Esc stops' : 'Enter sends'}
        </span>
        <SendButton
          isBusy={isBusy}
          isEmpty={text.trim() === '' && pictures.length === 0}
          onSend={send}
          onStop={props.onStop}
        />
      </div>
    </div>
  );
}

interface SendButtonProps {
  readonly isBusy: boolean;
  readonly isEmpty: boolean;
  readonly onSend: () => void;
  readonly onStop: () => void;
}

function SendButton({ isBusy, isEmpty, onSend, onStop }: SendButtonProps) {
  if (isBusy && isEmpty) {
    return (
      <button type="button" className="send" aria-label="Stop" onClick={onStop}>
        <Square aria-hidden="true" fill="currentColor" />
      </button>
    );
  }
  return (
    <button
      type="button"
      className="send"
      aria-label={isBusy ? 'Queue' : 'Send'}
      disabled={isEmpty}
      onClick={onSend}
    >
      <ArrowUp aria-hidden="true" />
    </button>
  );
}
