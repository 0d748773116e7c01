import { toolDiff } from '@robota-sdk/agent-transcript';
import { useEffect, useState } from 'react';
import type { RewindFile, RewindPreview, RewindRequest } from '../api-types.ts';
import { DiffView } from '../blocks/diff-view.tsx';
import { plural } from '../format.ts';
import { Overlay } from '../overlay.tsx';
import { usePage } from '../page-context.ts';

interface RewindDialogProps {
  readonly sessionId: string;
  /** The block id of the prompt. */
  readonly to: string;
  readonly onClose: () => void;
}

/** Shows what a rewind would change, and runs it after confirmation. */
export function RewindDialog({ sessionId, to, onClose }: RewindDialogProps) {
  const { api, announce } = usePage();
  const [preview, setPreview] = useState<RewindPreview | undefined>();
  const [isOverwriting, setOverwriting] = useState(false);
  useEffect(() => {
    const fail = (error: Error) => {
      announce(error.message);
      onClose();
    };
    api.previewRewind(sessionId, to).then(setPreview, fail);
  }, [api, announce, onClose, sessionId, to]);
  const rewind = (what: RewindRequest['what']) => {
    const conflicts = isOverwriting ? 'overwrite' : 'keep';
    api.rewind(sessionId, { to, what, conflicts, seen: preview?.seen }).then(
      ({ files }) => announce(`Rewound; ${plural(files.length, 'file')} changed`),
      (error: Error) => announce(error.message),
    );
    onClose();
  };
  return (
    <Overlay label="Rewind" onClose={onClose}>
      <div className="dialog-box">
        {preview ? (
          <RewindChanges
            preview={preview}
            isOverwriting={isOverwriting}
            onOverwriting={setOverwriting}
          />
        ) : (
          <p role="status">Checking what would change…</p>
        )}
        <div className="inline-form">
          <span className="grow" />
          <button type="button" className="button" onClick={onClose}>
            Cancel
          </button>
          <button
            type="button"
            className="button"
            disabled={!preview}
            onClick={() => rewind('files')}
          >
            Files only
          </button>
          <button
            type="button"
            className="button"
            disabled={!preview}
            onClick={() => rewind('conversation')}
          >
            Conversation only
          </button>
          <button
            type="button"
            className="button button-primary"
            disabled={!preview}
            onClick={() => rewind('both')}
          >
            Rewind both
          </button>
        </div>
      </div>
    </Overlay>
  );
}

interface RewindChangesProps {
  readonly preview: RewindPreview;
  readonly isOverwriting: boolean;
  readonly onOverwriting: (isOverwriting: boolean) => void;
}

/** The affected files; those changed by the user need consent. */
export function RewindChanges({ preview, isOverwriting, onOverwriting }: RewindChangesProps) {
  const { prompt, files, notCovered } = preview;
  const hasConflicts = files.some(({ conflict, isFixed }) => conflict && !isFixed);
  return (
    <>
      <h2>Rewind</h2>
      <p className="dim" dir="auto">
        To before “{prompt}”.{' '}
        {files.length === 0 ? 'No file changes.' : `${plural(files.length, 'file')} would change:`}
      </p>
      {files.map((file) => (
        <RewoundFile key={file.path} file={file} isOverwriting={isOverwriting} />
      ))}
      {notCovered.map((what) => (
        <p key={what}>Not covered: {what}</p>
      ))}
      {hasConflicts && (
        <label>
          <input
            type="checkbox"
            checked={isOverwriting}
            onChange={(event) => onOverwriting(event.target.checked)}
          />{' '}
          Replace my versions too
        </label>
      )}
    </>
  );
}

const WORDS = { create: 'is created again', delete: 'is removed', restore: 'is restored' } as const;

function RewoundFile({
  file,
  isOverwriting,
}: {
  readonly file: RewindFile;
  readonly isOverwriting: boolean;
}) {
  const { path, change, conflict, isFixed, diff } = file;
  const stays = isFixed || (conflict !== undefined && !isOverwriting);
  return (
    <section>
      <p>
        <code dir="ltr">{path}</code> {stays ? 'stays as it is' : WORDS[change]}
        {conflict === undefined ? '' : `: ${conflict}`}
      </p>
      {diff && (
        <div className="tool-output">
          <DiffView diff={toolDiff(diff.map(shownLine))} path={path} />
        </div>
      )}
    </section>
  );
}

const SIGNS = { hunk: '@', context: ' ', add: '+', remove: '-' } as const;

function shownLine({ type, text, lineNumber }: NonNullable<RewindFile['diff']>[number]) {
  const sign = SIGNS[type];
  if (sign === '@') return { sign, text: '' };
  return sign === '-' ? { sign, text, oldLine: lineNumber } : { sign, text, newLine: lineNumber };
}
