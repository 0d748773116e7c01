import { EventEmitter } from 'node:events';
import {
  AgentSession,
  type AgentSessionOptions,
  FileTranscriptPersistence,
  LocalAgentHome,
} from '@robota-sdk/agent-transcript/architectures';

/** Lets a real program run a slow tool, and waits to be killed. */
const [root = '', options = '{}'] = process.argv.slice(2);
const session = await AgentSession.create(
  {
    ...(JSON.parse(options) as AgentSessionOptions),
    sessionId: '00000000-0000-4000-8000-00000000abcd',
  },
  { home: new LocalAgentHome({ root }) },
  new EventEmitter(),
  new FileTranscriptPersistence(`${root}/sessions`),
);
for await (const event of session.sendMessage('@@sleep')) void event;
