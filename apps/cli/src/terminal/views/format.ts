import type { PermissionMode } from '@robota-sdk/agent-core';
import { type StyledLine, span } from '../markdown/styled-text.ts';

/** `2.3 s`, `47 s`, `1 min 12 s`, `2 h 5 min`. */
export function formatDuration(milliseconds: number): string {
  const seconds = milliseconds / 1000;
  if (seconds < 10) return `${Math.max(0.1, seconds).toFixed(1)} s`;
  if (seconds < 60) return `${Math.floor(seconds)} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return joined(`${minutes} min`, Math.floor(seconds % 60), 's');
  return joined(`${Math.floor(minutes / 60)} h`, minutes % 60, 'min');
}

/** A running time, in whole seconds so that it does not flicker. */
export function formatElapsed(milliseconds: number): string {
  return milliseconds < 10_000
    ? `${Math.max(0, Math.floor(milliseconds / 1000))} s`
    : formatDuration(milliseconds);
}

function joined(first: string, rest: number, unit: string): string {
  return rest === 0 ? first : `${first} ${rest} ${unit}`;
}

/** `812`, `38.1k`, `1.2M`. */
export function formatTokens(count: number): string {
  if (count < 1000) return String(count);
  if (count < 999_950) return `${trimmed(count / 1000)}k`;
  return `${trimmed(count / 1_000_000)}M`;
}

function trimmed(value: number): string {
  return value.toFixed(1).replace(/\.0$/, '');
}

export function formatDollars(amount: number): string {
  return `$${amount.toFixed(2)}`;
}

/** `1 tool`, `11 tools`. */
export function counted(count: number, noun: string): string {
  return `${count.toLocaleString('en-US')} ${noun}${count === 1 ? '' : 's'}`;
}

/** Joins the non-empty facts with dots. */
export function dotted(facts: readonly StyledLine[]): StyledLine {
  return facts
    .filter((fact) => fact.length > 0)
    .flatMap((fact, index) => (index === 0 ? fact : [span(' · ', 'dim'), ...fact]));
}

/** The path relative to the directory if it is inside. */
export function shortPath(path: string, directory: string): string {
  return path.startsWith(`${directory}/`) ? path.slice(directory.length + 1) : path;
}

const MODE_NAMES: Readonly<Record<PermissionMode, string>> = {
  default: 'ask first',
  acceptEdits: 'accept edits',
  plan: 'plan only',
  bypassPermissions: 'never asks',
};

/** Display name of a permission mode. */
export function modeName(mode: PermissionMode): string {
  return MODE_NAMES[mode];
}
