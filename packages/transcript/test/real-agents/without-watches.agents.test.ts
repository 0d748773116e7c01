import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ClaudeSession } from '../architectures/claude-agent-sdk/claude-session.ts';
import { temporaryFolder } from '../drivers/temporary-home.ts';

const FOLLOWER = `
  const { followTranscript } = await import('@robota-sdk/agent-transcript/architectures');
  for await (const one of followTranscript('claude-agent-sdk', process.argv[1])) console.log(one.type);
`;

describe.each(['instances', 'watches'])('a system with no inotify %s left', (kind) => {
  it('follows by polling', async () => {
    const path = join(temporaryFolder(), 's1.jsonl');
    const session = new ClaudeSession();
    session.user('One');
    writeFileSync(path, session.text);
    const node = [
      ...[process.execPath, '--conditions=robota-source', '--import', 'tsx'],
      ...['--input-type=module', '-e', FOLLOWER, path],
    ];
    const limit = `/proc/sys/user/max_inotify_${kind}`;
    const child = spawn(
      'unshare',
      ['-Ur', 'sh', '-c', `echo 0 > ${limit}; exec "$0" "$@"`, ...node],
      {
        cwd: import.meta.dirname,
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    );
    onTestFinished(() => void child.kill('SIGKILL'));
    const lines = createInterface({ input: child.stdout });
    const [opened] = await once(lines, 'line');
    const told = once(lines, 'line');
    session.says('m1', 'Hello');
    appendFileSync(path, `${session.lines.at(-1)}\n`);

    expect(opened).toBe('opened');
    expect(await told).toEqual(['stream_event']);
  });
});
