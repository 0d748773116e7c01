import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { LocalAgentHome } from '@robota-sdk/agent-transcript/architectures';
import { onTestFinished } from 'vitest';

/** A folder deleted after the test. */
export function temporaryFolder(): string {
  const root = mkdtempSync(join(tmpdir(), 'robota-agent-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true, maxRetries: 5 }));
  return root;
}

/** A home deleted after the test, with all its processes ended. */
export function temporaryHome(): LocalAgentHome {
  const home = new LocalAgentHome({ root: temporaryFolder() });
  onTestFinished(() => home.stop());
  return home;
}

export function fakeAgent(name: 'claude' | 'codex' | 'gemini' | 'acp'): { command: string } {
  return { command: fileURLToPath(new URL(`../fake-agents/fake-${name}.mjs`, import.meta.url)) };
}

/** Processes with this folder in their environment, left running by an agent of that home. */
export function processesOf(folder: string): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        const isOurs = readFileSync(`/proc/${pid}/environ`, 'utf8').includes(folder);
        return isOurs && !/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
          ? [readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')]
          : [];
      } catch {
        return [];
      }
    });
}
