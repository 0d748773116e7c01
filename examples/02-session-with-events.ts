// A session that streams, runs a custom tool and shows everything as blocks.
import assert from 'node:assert/strict';
import { calls, fakeTool, says, scriptedProvider } from '@robota-sdk/agent-core/testing';
import { InteractiveSession } from '@robota-sdk/agent-sdk';

const provider = scriptedProvider(
  calls({ id: '1', name: 'Weather', args: { city: 'Seoul' } }),
  says('It is sunny in Seoul.', { deltas: ['It is ', 'sunny ', 'in Seoul.'] }),
);
const session = new InteractiveSession({
  cwd: process.cwd(),
  provider,
  bare: true,
  tools: [fakeTool('Weather', ({ city }) => `${city}: sunny`)],
  permissionMode: 'bypassPermissions',
});
session.on('tool_start', ({ toolName, firstArg }) => console.log(`⟳ ${toolName}(${firstArg})`));
session.on('tool_end', ({ toolName, result }) => console.log(`✓ ${toolName}: ${result}`));
session.on('text_delta', (delta) => process.stdout.write(delta));

const outcome = await session.submit('How is the weather in Seoul?');
await session.shutdown();

assert.equal(outcome.status, 'completed');
assert.deepEqual(
  session.getBlocks().map((block) => block.type),
  ['user_message', 'tool_use', 'tool_result', 'assistant_text'],
);
console.log('\nok');
