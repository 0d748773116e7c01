import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type AgentPlace, openAgentPlace } from '@robota-sdk/agent-sdk';

/** What the fake programs do for which prompt. */
export const FAKE_PROGRAMS = [
  { name: 'claude', type: 'claude-agent-sdk', hanging: 'shell' },
  { name: 'codex', type: 'codex', hanging: 'wait' },
  { name: 'gemini', type: 'gemini-cli', hanging: 'wait' },
] as const;

export function fakeProgram(name: string): { readonly command: string } {
  const folder = '../../../transcript/test/fake-agents';
  return { command: fileURLToPath(new URL(`${folder}/fake-${name}.mjs`, import.meta.url)) };
}

/** A folder of its own for one fake program, gone when `remove` is called. */
export async function fakePlace(
  name: string,
): Promise<{ place: AgentPlace; root: string; remove: () => Promise<void> }> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'robota-live-')));
  const cwd = join(root, 'project');
  mkdirSync(cwd);
  const place = await openAgentPlace({
    cwd,
    homeDirectory: join(root, 'home'),
    directory: join(root, 'agents'),
    program: fakeProgram(name),
  });
  const remove = async () => {
    await place.home.stop();
    rmSync(root, { recursive: true, force: true, maxRetries: 5 });
  };
  return { place, root, remove };
}
