import { FAKE_PROGRAMS } from '../../../../packages/sdk/test/live/fake-programs.ts';
import { fakeAgent } from '../../../../packages/transcript/test/drivers/temporary-home.ts';
import { installFakePrograms } from '../support/served.ts';
import { describeEveryDoor } from './describe-every-door.ts';
import { nameAcpAgent, ROBOTA_DOOR } from './robota-door.ts';

// Programs of our own that speak as the real ones do; those are driven by "npm run test:agents".
const TIMEOUT_MS = 60_000;

describeEveryDoor(ROBOTA_DOOR, TIMEOUT_MS);

for (const { name, hanging } of FAKE_PROGRAMS) {
  describeEveryDoor(
    {
      title: name,
      agent: name,
      prompts: { hello: 'hello', ask: 'ask', hold: hanging },
      says: { hello: 'Answer to hello', allowed: /allow|accept|proceed_once/ },
      prepare: async (place) => ({ env: installFakePrograms(place) }),
    },
    TIMEOUT_MS,
  );
}

describeEveryDoor(
  {
    title: 'acp:mine',
    agent: 'acp:mine',
    prompts: { hello: 'hello', ask: 'ask', hold: 'wait' },
    says: { hello: 'Answer to hello', allowed: /once/ },
    without: ['forking'],
    prepare: async (place) => {
      nameAcpAgent(place, 'mine', [fakeAgent('acp').command]);
      return { env: {} };
    },
  },
  TIMEOUT_MS,
);
