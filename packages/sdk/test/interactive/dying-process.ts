// Run as a child: starts a turn whose tool never ends, says so, and waits to be killed.
import { calls, fakeTool, says, scriptedProvider } from '@robota-sdk/agent-core/testing';
import { InteractiveSession } from '@robota-sdk/agent-sdk';

const session = new InteractiveSession({
  cwd: process.argv[2] ?? '',
  provider: scriptedProvider(says('first answer'), calls({ id: 'hang-1', name: 'Hang' })),
  sessionId: 'killed',
  persistence: true,
  permissionMode: 'bypassPermissions',
  tools: [
    fakeTool('Hang', () => {
      process.stdout.write('hanging\n');
      return new Promise<string>(() => undefined);
    }),
  ],
});
setInterval(() => undefined, 60_000);
await session.submit('one');
await session.submit('two');
