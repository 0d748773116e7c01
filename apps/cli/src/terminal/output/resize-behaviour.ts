/** How a terminal behaves when its window is resized. */
export interface ResizeBehaviour {
  /** Whether rows too long for a narrower window are rewrapped; otherwise they are cut. */
  readonly folds: boolean;
  /** Milliseconds without a resize event after which the size counts as final. */
  readonly settledMs: number;
  /** How long before the resize event the window may already have changed, in milliseconds. */
  readonly lateMs: number;
}

/** tmux rewraps its rows at once but notifies programs only every quarter of a second. */
const SETTLED_IN_TMUX_MS = 300;
const SETTLED_MS = 50;
const LATE_MS = 5;
const LATE_FAR_AWAY_MS = 250;

export function resizeBehaviour(
  environment: Readonly<Record<string, string | undefined>>,
): ResizeBehaviour {
  const { TERM = '', TMUX, STY, XTERM_VERSION, SSH_CONNECTION } = environment;
  const isTmux = TMUX !== undefined || (/^(?:tmux|screen)/.test(TERM) && STY === undefined);
  const cuts = !isTmux && (TERM === 'linux' || STY !== undefined || XTERM_VERSION !== undefined);
  return {
    folds: !cuts,
    settledMs: isTmux ? SETTLED_IN_TMUX_MS : SETTLED_MS,
    lateMs: SSH_CONNECTION === undefined ? LATE_MS : LATE_FAR_AWAY_MS,
  };
}
