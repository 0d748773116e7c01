import { createBashTool, toolEnvironment } from '@robota-sdk/agent-tools';
import { afterEach, describe, expect, it } from 'vitest';
import { call } from './call.ts';

const SECRETS = {
  ANTHROPIC_API_KEY: 'a',
  ANTHROPIC_AUTH_TOKEN: 'a',
  OPENAI_API_KEY: 'a',
  GEMINI_API_KEY: 'a',
  GOOGLE_API_KEY: 'a',
  BRAVE_API_KEY: 'a',
  GITHUB_TOKEN: 'a',
  NPM_TOKEN: 'a',
  AWS_SECRET_ACCESS_KEY: 'a',
  AWS_SESSION_TOKEN: 'a',
  DB_PASSWORD: 'a',
  CLIENT_SECRET: 'a',
  PGPASSWORD: 'a',
  SSH_PRIVATE_KEY: 'a',
  api_key: 'a',
};
const ORDINARY = {
  PATH: '/bin',
  HOME: '/root',
  LANG: 'C',
  TOKENIZERS_PARALLELISM: 'no',
  SSH_AUTH_SOCK: '/x',
  KEYBOARD: 'us',
  EDITOR: 'vi',
};

describe('the environment of tools', () => {
  it('contains no variable named like a secret', () => {
    expect(toolEnvironment({ ...SECRETS, ...ORDINARY })).toEqual(ORDINARY);
  });

  it('contains variables passed on by name', () => {
    expect(toolEnvironment({ ...SECRETS, PATH: '/bin' }, ['GITHUB_TOKEN'])).toEqual({
      PATH: '/bin',
      GITHUB_TOKEN: 'a',
    });
  });
});

describe('a command', () => {
  afterEach(() => {
    delete process.env.ROBOTA_TEST_API_KEY;
  });

  it('does not see secrets unless they are passed on', async () => {
    process.env.ROBOTA_TEST_API_KEY = 'secret';
    const command = 'echo "[$ROBOTA_TEST_API_KEY]"';

    expect((await call(createBashTool(), { command })).output).toBe('[]\n');
    const passing = createBashTool({ passEnvironment: ['ROBOTA_TEST_API_KEY'] });
    expect((await call(passing, { command })).output).toBe('[secret]\n');
  });
});
