import type { TextStyle } from './markdown/styled-text.ts';

/** How Ink draws a style. Only the sixteen named colours, so that light and dark terminals both stay readable. */
export interface Paint {
  readonly color?: string;
  readonly bold?: boolean;
  readonly italic?: boolean;
  readonly underline?: boolean;
  readonly strikethrough?: boolean;
  readonly dimColor?: boolean;
  readonly inverse?: boolean;
}

const PALETTE: Readonly<Record<TextStyle, Paint>> = {
  plain: {},
  strong: { bold: true },
  emphasis: { italic: true },
  struck: { strikethrough: true },
  heading: { bold: true, color: 'magenta' },
  code: { color: 'cyan' },
  link: { underline: true, color: 'blue' },
  quote: { dimColor: true },
  dim: { dimColor: true },
  keyword: { color: 'magenta' },
  string: { color: 'green' },
  number: { color: 'yellow' },
  comment: { dimColor: true },
  name: { color: 'blue' },
  added: { color: 'green' },
  removed: { color: 'red' },
  user: { bold: true, color: 'cyan' },
  success: { color: 'green' },
  failure: { color: 'red' },
  warning: { color: 'yellow' },
  accent: { color: 'cyan' },
  selected: { inverse: true },
};

/** Without colour, emphasis is kept: it is no colour. */
export function paintOf(style: TextStyle, colors: boolean): Paint {
  const { color, ...rest } = PALETTE[style];
  return colors && color !== undefined ? { ...rest, color } : rest;
}
