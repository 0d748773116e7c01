import { EventEmitter } from 'node:events';
import {
  AgentSession,
  FileTranscriptPersistence,
  LocalAgentHome,
} from '@robota-sdk/agent-transcript/architectures';

/** Opens a session, lets its agent start a shell, reports that, and waits to be killed. */
const [root = '', command = ''] = process.argv.slice(2);
const session = await AgentSession.create(
  {
    architecture: 'claude-agent-sdk',
    agentProfileRef: 'none',
    sessionId: 'hosted',
    program: { command },
  },
  { home: new LocalAgentHome({ root }) },
  new EventEmitter(),
  new FileTranscriptPersistence(`${root}/sessions`),
);
for await (const event of session.sendMessage('shell')) {
  if (JSON.stringify(event).includes('shell ')) process.stdout.write('started\n');
}
