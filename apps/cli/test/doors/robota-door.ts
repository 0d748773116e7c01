import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { speakAnthropic } from '../../../../packages/transcript/test/real-agents/anthropic.ts';
import {
  type ScriptedReply,
  type Speak,
  startModelServer,
} from '../../../../packages/transcript/test/real-agents/model-server.ts';
import type { Place } from '../support/run-robota.ts';
import type { DoorAgent } from './describe-every-door.ts';

/** The service knows the word; what follows it keeps a terminal from completing it as the name of a file. */
export const SCRIPTED = { hello: '@@hello now', ask: '@@ask now', hold: '@@hold now' } as const;
export const SCRIPTED_WORDS = { hello: 'Answer to @@hello', allowed: /Answer to @@ask/ } as const;

type Call = NonNullable<ScriptedReply['calls']>[number];

/** A service whose model answers, asks for a shell, or stops in the middle of a sentence; gone with the test. */
export async function scriptedService(
  speak: Speak,
  shell: (command: string) => Call,
): Promise<string> {
  const service = await startModelServer(speak, (prompt, step) => {
    if (prompt === '@@hold') return { text: 'Half a sentence', hold: true };
    if (prompt === '@@ask' && step === 0) return { calls: [shell('touch asked-1')] };
    return { text: `Answer to ${prompt}` };
  });
  onTestFinished(() => service.close());
  return service.url;
}

/** Our own engine at such a service. */
export const ROBOTA_DOOR: DoorAgent = {
  title: 'robota',
  agent: 'robota',
  prompts: SCRIPTED,
  says: SCRIPTED_WORDS,
  async prepare() {
    const shell = (command: string) => ({ name: 'Bash', input: { command } });
    const url = await scriptedService(speakAnthropic, shell);
    const args = ['--provider', 'anthropic', '--base-url', url];
    return { env: { ANTHROPIC_API_KEY: 'test-key' }, args };
  },
};

/** Settings of the user that say how `acp:<name>` is started. */
export function nameAcpAgent({ home }: Place, name: string, command: readonly string[]): void {
  mkdirSync(join(home, '.robota'), { recursive: true });
  const settings = { agents: { [name]: { command } } };
  writeFileSync(join(home, '.robota/settings.json'), JSON.stringify(settings));
}
