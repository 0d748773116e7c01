import { homedir } from 'node:os';
import { cutLine } from '../layout/fit-line.ts';
import { wrapLines } from '../layout/wrap-lines.ts';
import { type StyledLine, span } from '../markdown/styled-text.ts';
import type { ScreenState } from '../state/screen-state.ts';
import { dotted, modeName } from './format.ts';

const MARK = ' ▐█▌ ';

/** Below this width the branch and the session summary are hidden. */
const WIDE_COLUMNS = 80;

/** Agent, model, mode and directory; a missing key is one yellow phrase. */
export function bannerLines({ banner, status, session, columns }: ScreenState): StyledLine[] {
  const { agent = 'robota', title = '' } = session ?? {};
  const branch =
    status.branch === undefined || columns < WIDE_COLUMNS ? '' : ` on ${status.branch}`;
  const place: StyledLine = [span(`${homePath(banner.directory)}${branch}`, 'dim')];
  const about = banner.missingKey
    ? dotted([[span(banner.missingKey, 'warning')], place])
    : dotted([
        agent === 'robota' ? [] : [span(title)],
        status.model === '' ? [] : [span(status.model, 'dim')],
        status.model === '' || !status.mode ? [] : [span(modeName(status.mode), 'dim')],
        place,
      ]);
  const found = banner.missingKey ? keyAdvice(columns) : banner.found;
  return [
    cutLine(
      [span(MARK, 'accent'), span('Robota', 'strong'), span(` ${banner.version}`, 'dim')],
      columns,
    ),
    cutLine([span(MARK, 'accent'), ...about], columns),
    ...(found === undefined ? [] : wrapLines([[span(`     ${found}`, 'dim')]], columns)),
  ];
}

function keyAdvice(columns: number): string {
  const names =
    columns < WIDE_COLUMNS
      ? 'ANTHROPIC_API_KEY'
      : 'ANTHROPIC_API_KEY, OPENAI_API_KEY or GEMINI_API_KEY';
  return `Set ${names}, or run robota config`;
}

function homePath(directory: string): string {
  const home = homedir();
  return directory === home || directory.startsWith(`${home}/`)
    ? `~${directory.slice(home.length)}`
    : directory;
}
