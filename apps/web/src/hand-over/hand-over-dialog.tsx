import { useEffect, useState } from 'react';
import type { HandOverReport, SessionRow } from '../api-types.ts';
import { Overlay } from '../overlay.tsx';
import { usePage } from '../page-context.ts';
import { navigate, sessionAddress } from '../route.ts';
import { agentName } from '../sessions/agent-badge.tsx';

interface HandOverDialogProps {
  readonly session: SessionRow;
  readonly onClose: () => void;
}

const TARGETS = ['claude', 'codex', 'gemini', 'robota'] as const;

/** Hands a session over to another agent, after showing what is carried over. */
export function HandOverDialog({ session, onClose }: HandOverDialogProps) {
  const { api } = usePage();
  const [to, setTo] = useState<string>();
  const [cwd, setCwd] = useState<string>();
  const [report, setReport] = useState<HandOverReport>();
  const [problem, setProblem] = useState<string>();
  const { id, agent } = session;
  useEffect(() => {
    if (to === undefined) return;
    let isCurrent = true;
    setReport(undefined);
    setProblem(undefined);
    api.handOver({ id, agent }, { to, cwd, dry_run: true }).then(
      (plan) => isCurrent && setReport(plan),
      (error: Error) => isCurrent && setProblem(error.message),
    );
    return () => {
      isCurrent = false;
    };
  }, [api, id, agent, to, cwd]);
  const go = (target: string, leaveToTarget = false) => {
    api.handOver({ id, agent }, { to: target, cwd, leave_to_target: leaveToTarget }).then(
      (done) => {
        if (done.status !== 'ready' || done.session_id === undefined) {
          setReport(done);
          return;
        }
        onClose();
        navigate(sessionAddress({ agent: 'robota', id: done.session_id }));
      },
      (error: Error) => setProblem(error.message),
    );
  };
  return (
    <Overlay label="Hand over" onClose={onClose}>
      <div className="dialog-box">
        <h2>Hand over</h2>
        <p className="dim">
          Continues the session in another agent under a new id. This one is unchanged.
        </p>
        <fieldset className="chips">
          <legend className="visually-hidden">Goes on in</legend>
          {TARGETS.map((target) => (
            <button
              key={target}
              type="button"
              className="chip"
              aria-pressed={target === to}
              onClick={() => setTo(target)}
            >
              {agentName(target)}
            </button>
          ))}
        </fieldset>
        <DirectoryField onChoose={setCwd} />
        {problem !== undefined && (
          <p role="alert" className="bad">
            {problem}
          </p>
        )}
        {report && <HandOverPlan report={report} onGo={go} onClose={onClose} />}
      </div>
    </Overlay>
  );
}

/** Applies the directory on blur or Enter. */
function DirectoryField({
  onChoose,
}: {
  readonly onChoose: (directory: string | undefined) => void;
}) {
  const [text, setText] = useState('');
  const choose = () => onChoose(text.trim() === '' ? undefined : text.trim());
  return (
    <label className="hand-over-place">
      <span className="dim">Directory</span>
      <input
        className="field"
        value={text}
        placeholder="Where it took place"
        spellCheck={false}
        onChange={(event) => setText(event.target.value)}
        onBlur={choose}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && !event.nativeEvent.isComposing) choose();
        }}
      />
    </label>
  );
}

interface HandOverPlanProps {
  readonly report: HandOverReport;
  readonly onGo: (to: string, leaveToTarget?: boolean) => void;
  readonly onClose: () => void;
}

function HandOverPlan({ report, onGo, onClose }: HandOverPlanProps) {
  const { status, to, lines, message } = report;
  return (
    <>
      <ul className="hand-over-lines" aria-label="What is carried over">
        {lines.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
      {message !== undefined && <p role="alert">{message}</p>}
      {status === 'written' && <Written report={report} />}
      <div className="inline-form">
        <span className="grow" />
        <button type="button" className="button" onClick={onClose}>
          {status === 'written' ? 'Done' : 'Cancel'}
        </button>
        {status === 'planned' && (
          <button type="button" className="button button-primary" onClick={() => onGo(to)}>
            Go on in {agentName(to)}
          </button>
        )}
        {status === 'too_long' && (
          <button type="button" className="button button-primary" onClick={() => onGo(to, true)}>
            Let {agentName(to)} compact it
          </button>
        )}
      </div>
    </>
  );
}

function Written({ report }: { readonly report: HandOverReport }) {
  const { api, announce } = usePage();
  const { cwd, resume = [], session_id: id = '' } = report;
  const takeBack = () => {
    api.removeHandOver(id).then(
      (status) => announce(TAKEN_BACK[status] ?? status),
      (error: Error) => announce(error.message),
    );
  };
  return (
    <div role="status">
      <p>Go on with it in {cwd}:</p>
      <p>
        <code className="mono one-time-link">{resume.join(' ')}</code>
      </p>
      <button type="button" className="link-button" onClick={takeBack}>
        Remove it
      </button>
    </div>
  );
}

const TAKEN_BACK: Readonly<Record<string, string>> = {
  removed: 'The written session was removed.',
  continued: 'Its program has continued it, so it was kept.',
  missing: 'It no longer existed.',
};
