import type { MessagePart, PermissionMode } from '@robota-sdk/agent-core';
import type { Session as StoredSession } from '@robota-sdk/agent-store';
import type { SubmitOutcome } from '../interactive/execution-result.ts';

/** What is needed to resume a session; stored in the metadata of its stored session. */
export interface SessionCard {
  /** The agent's name as users write it. */
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

/** An acknowledged prompt. */
export interface CardPrompt {
  readonly id: string;
  /** Tells another prompt with this id apart. */
  readonly digest?: string | undefined;
  /** What it says, encrypted; absent once it has started. */
  readonly sealed?: string | undefined;
  /** As versions before 0.2 stored it. */
  readonly text?: string | undefined;
  readonly parts?: readonly MessagePart[] | undefined;
  readonly user?: string | undefined;
  readonly status: 'waiting' | 'running' | 'done';
  /** When it was acknowledged, in milliseconds since 1970. */
  readonly at?: number | undefined;
  /** How it ended, to answer a repeated message id. */
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
