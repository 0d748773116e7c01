import { TAB } from '../layout/cell-width.ts';
import type { Span, SpanBand, StyledLine, TextStyle } from '../markdown/styled-text.ts';
import type { Theme } from './theme.ts';

type NamedColor = 'red' | 'green' | 'yellow' | 'blue' | 'magenta' | 'cyan';

interface Paint {
  readonly color?: NamedColor;
  readonly bold?: boolean;
  readonly italic?: boolean;
  readonly underline?: boolean;
  readonly strikethrough?: boolean;
  readonly dim?: boolean;
}

/** Only the named colours, so that light and dark terminals both stay readable. */
const PALETTE: Readonly<Record<TextStyle, Paint>> = {
  plain: {},
  strong: { bold: true },
  emphasis: { italic: true },
  struck: { strikethrough: true },
  heading: { bold: true, color: 'magenta' },
  code: { color: 'cyan' },
  link: { underline: true, color: 'blue' },
  quote: { dim: true },
  dim: { dim: true },
  keyword: { color: 'magenta' },
  string: { color: 'green' },
  number: { color: 'yellow' },
  comment: { dim: true },
  name: { color: 'blue' },
  added: { color: 'green' },
  removed: { color: 'red' },
  user: { bold: true, color: 'cyan' },
  success: { color: 'green' },
  failure: { color: 'red' },
  warning: { color: 'yellow' },
  accent: { color: 'cyan' },
};

const COLOR_CODES: Readonly<Record<NamedColor, number>> = {
  red: 31,
  green: 32,
  yellow: 33,
  blue: 34,
  magenta: 35,
  cyan: 36,
};

interface BandColors {
  readonly truecolor: string;
  readonly '256': string;
}

const BANDS: Readonly<Record<'dark' | 'light', Readonly<Record<SpanBand, BandColors>>>> = {
  dark: {
    prompt: { truecolor: '2;42;46;51', '256': '5;236' },
    added: { truecolor: '2;17;48;30', '256': '5;22' },
    removed: { truecolor: '2;62;24;28', '256': '5;52' },
    chosen: { truecolor: '2;37;78;88', '256': '5;24' },
  },
  light: {
    prompt: { truecolor: '2;236;236;232', '256': '5;255' },
    added: { truecolor: '2;221;244;227', '256': '5;194' },
    removed: { truecolor: '2;253;226;224', '256': '5;224' },
    chosen: { truecolor: '2;205;232;236', '256': '5;152' },
  },
};

/** Styles used instead of a band when the background cannot be coloured. */
const WITHOUT_BAND: Readonly<Record<SpanBand, Paint>> = {
  prompt: { bold: true },
  added: { color: 'green' },
  removed: { color: 'red' },
  chosen: { bold: true },
};

/** The line with escape codes, as sent to the terminal. */
export function paintLine(line: StyledLine, theme: Theme): string {
  return line.map((span) => paintSpan(span, theme)).join('');
}

/** Last defence against untrusted text: only the codes added here may control the terminal or the direction of text. */
function withoutControlCharacters(text: string): string {
  return CONTROL_CHARACTER.test(text)
    ? text.replaceAll('\t', TAB).replaceAll(CONTROL_CHARACTERS, '')
    : text;
}

const CONTROL_CHARACTER = /[\p{Cc}\p{Bidi_Control}\u00ad]/u;
const CONTROL_CHARACTERS = new RegExp(CONTROL_CHARACTER.source, 'gu');

function paintSpan({ text: given, style, band }: Span, theme: Theme): string {
  const text = withoutControlCharacters(given);
  const background = band && bandCode(band, theme);
  const paint = band && !background ? withoutBand(style, band) : PALETTE[style];
  const codes = [...codesOf(paint, theme), ...(background ? [background] : [])];
  return codes.length === 0 || text === '' ? text : `\u001b[${codes.join(';')}m${text}\u001b[0m`;
}

function bandCode(band: SpanBand, { colors, background, depth }: Theme): string | undefined {
  if (!colors || !background || depth === '16') return undefined;
  return `48;${BANDS[background][band][depth]}`;
}

/** Added and removed lines lose their syntax colours; other bands add to the text's own style. */
function withoutBand(style: TextStyle, band: SpanBand): Paint {
  const fallback = WITHOUT_BAND[band];
  return fallback.color
    ? { ...fallback, ...(style === 'dim' && { dim: true }) }
    : { ...PALETTE[style], ...fallback };
}

function codesOf(paint: Paint, { colors }: Theme): (number | string)[] {
  return [
    ...(paint.bold ? [1] : []),
    ...(paint.dim ? [2] : []),
    ...(paint.italic ? [3] : []),
    ...(paint.underline ? [4] : []),
    ...(paint.strikethrough ? [9] : []),
    ...(colors && paint.color ? [COLOR_CODES[paint.color]] : []),
  ];
}
