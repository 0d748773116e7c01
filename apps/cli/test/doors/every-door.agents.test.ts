import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  ACP_PROGRAMS,
  type AcpProgram,
} from '../../../../packages/transcript/test/real-agents/acp-programs.ts';
import {
  PROGRAMS,
  quieten,
  type RealProgram,
} from '../../../../packages/transcript/test/real-agents/programs.ts';
import type { Place } from '../support/run-robota.ts';
import { type DoorAgent, describeEveryDoor } from './describe-every-door.ts';
import { nameAcpAgent, SCRIPTED, SCRIPTED_WORDS, scriptedService } from './robota-door.ts';

const TIMEOUT_MS = 240_000;
const NEWEST = 3;
const NAMES: Readonly<Record<string, string>> = {
  'claude-agent-sdk': 'claude',
  codex: 'codex',
  'gemini-cli': 'gemini',
};

for (const program of PROGRAMS.slice(0, NEWEST)) describeEveryDoor(doorOf(program), TIMEOUT_MS);
for (const program of ACP_PROGRAMS) describeEveryDoor(acpDoorOf(program), TIMEOUT_MS);

/** A real program on the path, as a person has installed it; its service is on loopback. */
function doorOf(program: RealProgram): DoorAgent {
  const options = program.options('', 'default');
  const agent = NAMES['architecture' in options ? options.architecture : ''] ?? '';
  return {
    title: program.name,
    agent,
    prompts: SCRIPTED,
    says: SCRIPTED_WORDS,
    async prepare(place) {
      const url = await scriptedService(program.speak, program.shell);
      const { program: started, environment, model } = program.options(url, 'default');
      const chosen = agent === 'gemini' ? ['-m', model ?? ''] : ['-c', `model="${model}"`];
      const args = [...(started?.args ?? []), ...(model === undefined ? [] : chosen)];
      quieten(place.home);
      const folder = installProgram(place, agent, [started?.command ?? agent, ...args]);
      return { env: { ...environment, PATH: `${folder}:${process.env.PATH ?? ''}` } };
    },
  };
}

function acpDoorOf(program: AcpProgram): DoorAgent {
  const { name: title, type: agent, without = [] } = program;
  return {
    title,
    agent,
    prompts: SCRIPTED,
    says: SCRIPTED_WORDS,
    without: ['forking', ...without.filter((ability) => ability !== 'output')],
    async prepare(place) {
      const url = await scriptedService(program.speak, program.shell);
      const { program: started, environment } = program.prepare(place.home, url);
      const { command = '', args = [] } = started ?? {};
      nameAcpAgent(place, agent.slice('acp:'.length), [command, ...args]);
      const named = Object.entries(environment ?? {});
      return { env: Object.fromEntries(named.map(([name, value]) => [name, value ?? ''])) };
    },
  };
}

/** A program of this name that starts another one with arguments before its own. */
function installProgram({ home }: Place, name: string, command: readonly string[]): string {
  const folder = join(home, 'bin');
  mkdirSync(folder, { recursive: true });
  const path = join(folder, name);
  const words = command.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(' ');
  writeFileSync(path, `#!/bin/sh\nexec ${words} "$@"\n`);
  chmodSync(path, 0o755);
  return folder;
}
