import type { MessagePart, PermissionMode } from '@robota-sdk/agent-core';
import type { Session as StoredSession } from '@robota-sdk/agent-store';
import type { SubmitOutcome } from '../interactive/execution-result.ts';

/** What is needed to bring a session back, kept beside who talks to it. */
export interface SessionCard {
  /** What people call the agent. */
  readonly agent: string;
  readonly cwd: string;
  readonly model?: string | undefined;
  readonly permissionMode?: PermissionMode | undefined;
  readonly name?: string | undefined;
  readonly profile?: string | undefined;
  readonly nativeId?: string | undefined;
  /** The server that holds it. */
  readonly node: string;
}

/** A prompt that was acknowledged. */
export interface CardPrompt {
  readonly id: string;
  readonly text: string;
  readonly user?: string | undefined;
  readonly parts?: readonly MessagePart[] | undefined;
  readonly status: 'waiting' | 'running' | 'done';
  /** When it was acknowledged, in milliseconds since 1970. */
  readonly at?: number | undefined;
  /** How it ended, for whoever asks again. */
  readonly ended?:
    | { readonly status: SubmitOutcome['status']; readonly response: string }
    | undefined;
}

export function cardOf({ metadata }: Pick<StoredSession, 'metadata'>): SessionCard | undefined {
  const { card } = metadata;
  const isCard = typeof card === 'object' && card !== null && 'agent' in card && 'cwd' in card;
  return isCard ? (card as SessionCard) : undefined;
}

/** Surfaces that send messages and need not be connected, such as chats. */
export function messageSurfacesOf({ metadata }: Pick<StoredSession, 'metadata'>): string[] {
  return Array.isArray(metadata.messageSurfaces) ? (metadata.messageSurfaces as string[]) : [];
}

export function promptsOf({ metadata }: Pick<StoredSession, 'metadata'>): readonly CardPrompt[] {
  return Array.isArray(metadata.prompts) ? (metadata.prompts as CardPrompt[]) : [];
}
