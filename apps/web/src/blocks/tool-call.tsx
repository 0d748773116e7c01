import {
  describeTool,
  neutraliseEscapes,
  type ToolKind,
  type ToolResultBlock,
  type ToolUseBlock,
  type ToolView,
} from '@robota-sdk/agent-transcript';
import {
  Ban,
  Bot,
  Check,
  Eye,
  FolderSearch,
  Globe,
  ListTodo,
  LoaderCircle,
  type LucideIcon,
  MessageCircleQuestion,
  Pencil,
  Search,
  Terminal,
  Wrench,
  X,
} from 'lucide-react';
import { useMemo } from 'react';
import { formatDuration } from '../format.ts';
import { Markdown } from '../markdown/markdown-view.tsx';
import { ContentParts } from './content-parts.tsx';
import { DiffView } from './diff-view.tsx';
import { Fold } from './fold.tsx';

import { useShortPaths } from './project-folder.ts';
import { picturesOf } from './result-pictures.ts';
import { ToolOutput } from './tool-output.tsx';

export interface ToolCallProps {
  readonly block: ToolUseBlock;
  readonly result?: ToolResultBlock | undefined;
}

/** A call and its result on one collapsible line. */
export function ToolCall({ block, result }: ToolCallProps) {
  const view = useMemo(() => describeTool(block, result), [block, result]);
  const isOpen = view.diff !== undefined || view.kind === 'shell' || view.state !== 'success';
  return (
    <Fold className="tool" isOpenAtFirst={isOpen} head={<ToolHead view={view} />}>
      <ToolBody view={view} result={result} />
    </Fold>
  );
}

const ICONS: Readonly<Record<ToolKind, LucideIcon>> = {
  shell: Terminal,
  read: Eye,
  edit: Pencil,
  write: Pencil,
  search: Search,
  list: FolderSearch,
  fetch: Globe,
  web_search: Globe,
  plan: ListTodo,
  agent: Bot,
  question: MessageCircleQuestion,
  other: Wrench,
};

function ToolHead({ view }: { readonly view: ToolView }) {
  const Icon = ICONS[view.kind];
  const { diff, exitCode, durationMs } = view;
  const short = useShortPaths();
  return (
    <>
      <Icon aria-hidden="true" />
      <b className="fold-name">{view.verb}</b>
      <span className="tool-target ellipsis grow" dir="ltr" title={neutraliseEscapes(view.target)}>
        {short(neutraliseEscapes(view.target))}
      </span>
      {diff && <DiffCounts added={diff.added} removed={diff.removed} />}
      {exitCode !== undefined && exitCode !== 0 && (
        <span className="faint numeric">exit {exitCode}</span>
      )}
      {durationMs !== undefined && (
        <span className="faint numeric">{formatDuration(durationMs)}</span>
      )}
      <ToolState state={view.state} />
    </>
  );
}

export function DiffCounts({
  added,
  removed,
}: {
  readonly added: number;
  readonly removed: number;
}) {
  return (
    <span className="diff-counts">
      <span className="good">+{added}</span> <span className="bad">−{removed}</span>
    </span>
  );
}

export function ToolState({ state }: { readonly state: ToolView['state'] }) {
  switch (state) {
    case 'running':
      return <LoaderCircle className="spinner" role="img" aria-label="Running" />;
    case 'success':
      return <Check className="good" role="img" aria-label="Done" />;
    case 'denied':
      return <Ban className="waiting" role="img" aria-label="Denied" />;
    case 'error':
      return <X className="bad" role="img" aria-label="Failed" />;
  }
}

interface ToolBodyProps {
  readonly view: ToolView;
  readonly result: ToolResultBlock | undefined;
}

function ToolBody({ view, result }: ToolBodyProps) {
  const isError = view.state === 'error';
  const pictures = picturesOf(result);
  const hasText = view.text.trim() !== '' && (view.diff === undefined || isError);
  return (
    <>
      {view.diff ? (
        <div className="tool-output">
          <DiffView diff={view.diff} path={view.target} />
        </div>
      ) : (
        <ToolArguments view={view} />
      )}
      {hasText && <ToolText view={view} result={result} />}
      {pictures.length > 0 && <ContentParts content={pictures} />}
    </>
  );
}

function ToolText({ view, result }: ToolBodyProps) {
  if (result?.renderOutputAsMarkdown) return <Markdown text={view.text} />;
  const part = view.kind === 'shell' ? 'end' : 'beginning';
  return <ToolOutput text={view.text} isError={view.state === 'error'} part={part} />;
}

/** Arguments that the head line does not show completely. */
function ToolArguments({ view }: { readonly view: ToolView }) {
  const fields = view.fields.filter(
    ({ name, value }) =>
      value.trim() !== '' &&
      value.trim() !== view.target &&
      // A command is shown itself; its description adds nothing.
      !(view.kind === 'shell' && name === 'description'),
  );
  if (fields.length === 0) return null;
  return (
    <dl className="tool-fields" dir="ltr">
      {fields.map(({ name, value }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{neutraliseEscapes(value)}</dd>
        </div>
      ))}
    </dl>
  );
}
