import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DemoProvider } from '@robota-sdk/agent-provider/demo';
import { InteractiveSession } from '@robota-sdk/agent-sdk';
import { describeTool } from '@robota-sdk/agent-transcript';
import type { RunArguments } from '../arguments/parse-arguments.ts';
import { EXIT } from '../exit-code.ts';
import type { Output } from '../output.ts';

const PROMPT = 'run `touch made-by-robota.txt && ls -1`';

/** Without a terminal: shows a prompt, a tool call, its approval, the answer and the saved session with the demo provider. */
export async function runDemonstration(options: RunArguments, output: Output): Promise<number> {
  const project = await mkdtemp(join(tmpdir(), 'robota-demo-'));
  try {
    await writeFile(join(project, 'hello.txt'), 'Hello from Robota.\n');
    return await demonstrate(project, options, output);
  } finally {
    await rm(project, { recursive: true, force: true });
  }
}

async function demonstrate(
  project: string,
  options: RunArguments,
  output: Output,
): Promise<number> {
  const session = new InteractiveSession({
    cwd: project,
    provider: new DemoProvider(),
    persistence: options.persistence,
    sessionName: 'demonstration',
    bare: true,
  });
  output.note(
    'Not a terminal: running a short demonstration with the offline demo model (not an AI).',
  );
  session.on('permission_request', ({ requestId, toolName, toolArgs: input }) => {
    const call = { id: requestId, toolUseId: requestId, timestamp: '', toolName, input } as const;
    const { target } = describeTool({ ...call, type: 'tool_use', status: 'pending' });
    output.writeLine(`? ${toolName} wants to run ${target}`);
    output.writeLine('  approved for this demonstration');
    session.answerPermission(requestId, true);
  });
  session.on('tool_start', ({ toolName, firstArg }) =>
    output.writeLine(`◐ ${toolName} ${firstArg}`),
  );
  session.on('tool_end', ({ toolName, result }) =>
    output.writeLine(`● ${toolName}: ${result ?? 'done'}`),
  );
  output.writeLine(`❯ ${PROMPT}`);
  const outcome = await session.submit(PROMPT);
  await session.shutdown({ reason: 'other' });
  if (outcome.status !== 'completed') {
    output.note(`The demonstration ended as ${outcome.status}.`);
    return EXIT.failed;
  }
  output.writeLine(`● ${outcome.result.response}`);
  if (options.persistence) {
    output.writeLine(
      `Saved as ${session.sessionId}; see it with: robota sessions show ${session.sessionId}`,
    );
  }
  return EXIT.done;
}
