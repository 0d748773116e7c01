import { EventEmitter } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ScriptedReply, scriptedProvider } from '@robota-sdk/agent-core/testing';
import { type RobotaArchitectureDefaults, registerRobotaArchitecture } from '@robota-sdk/agent-sdk';
import type { ConversationBlock, StreamEvent } from '@robota-sdk/agent-transcript';
import {
  AgentSession,
  type AgentSessionOptions,
  LocalAgentHome,
  MemoryTranscriptPersistence,
} from '@robota-sdk/agent-transcript/architectures';
import { onTestFinished } from 'vitest';

export const NEW = { architecture: 'robota', agentProfileRef: 'none' } as const;

/** Homes in which our own engine, with scripted replies, is driven like any other agent. */
export async function robotaAgent(
  replies: readonly ScriptedReply[],
  defaults: Partial<RobotaArchitectureDefaults> = {},
) {
  const provider = scriptedProvider(...replies);
  const persistence = new MemoryTranscriptPersistence();
  await registerRobotaArchitecture({ provider, builtinTools: false, ...defaults });
  return {
    provider,
    persistence,
    /** A session; in a home of its own unless one is given. */
    async open(options: AgentSessionOptions = NEW, home = emptyHome()) {
      const bus = new EventEmitter();
      const session = await AgentSession.create(options, { home }, bus, persistence);
      onTestFinished(() => session.destroy());
      return session;
    },
  };
}

export function emptyHome(): LocalAgentHome {
  const root = mkdtempSync(join(tmpdir(), 'robota-agent-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true, maxRetries: 5 }));
  return new LocalAgentHome({ root });
}

export async function read(events: AsyncIterable<StreamEvent>): Promise<StreamEvent[]> {
  const collected: StreamEvent[] = [];
  for await (const event of events) collected.push(event);
  return collected;
}

export function said(blocks: readonly ConversationBlock[]): unknown[] {
  return blocks.map((block) => [block.type, 'content' in block ? block.content : undefined]);
}
