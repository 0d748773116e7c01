import type { TerminalReply } from '../keys/terminal-replies.ts';

/** The colour capabilities of the terminal, as far as known. */
export interface Theme {
  readonly colors: boolean;
  /** Bands are drawn only when the background is known. */
  readonly background: 'dark' | 'light' | undefined;
  readonly depth: 'truecolor' | '256' | '16';
}

export const PLAIN_THEME: Theme = { colors: false, background: undefined, depth: '16' };

type Environment = Readonly<Record<string, string | undefined>>;

export function themeFromEnvironment(colors: boolean, environment: Environment): Theme {
  return { colors, background: backgroundFrom(environment), depth: depthFrom(environment) };
}

/** From `ROBOTA_BACKGROUND`, or `COLORFGBG`, which ends with the number of the background colour. */
function backgroundFrom({ ROBOTA_BACKGROUND, COLORFGBG }: Environment): Theme['background'] {
  if (ROBOTA_BACKGROUND === 'dark' || ROBOTA_BACKGROUND === 'light') return ROBOTA_BACKGROUND;
  const number = /;(\d+)$/.exec(COLORFGBG ?? '')?.[1];
  if (number === undefined) return undefined;
  return Number(number) === 7 || Number(number) > 8 ? 'light' : 'dark';
}

function depthFrom({ COLORTERM, TERM }: Environment): Theme['depth'] {
  if (/^(?:truecolor|24bit)$/.test(COLORTERM ?? '')) return 'truecolor';
  return /256color|kitty|ghostty|direct/.test(TERM ?? '') ? '256' : '16';
}

export function backgroundOf(
  reply: Extract<TerminalReply, { kind: 'background' }>,
): 'dark' | 'light' {
  const brightness = 0.2126 * reply.red + 0.7152 * reply.green + 0.0722 * reply.blue;
  return brightness > 0.5 ? 'light' : 'dark';
}
