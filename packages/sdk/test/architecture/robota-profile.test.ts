import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { calls, says } from '@robota-sdk/agent-core/testing';
import { createRobotaArchitecture } from '@robota-sdk/agent-sdk';
import { type AgentProfile, LocalAgentHome } from '@robota-sdk/agent-transcript/architectures';
import { describe, expect, it } from 'vitest';
import { useTestPlace } from '../sandbox-home.ts';
import { emptyHome, NEW, read, robotaAgent, said } from './robota-agent.ts';

const place = useTestPlace();

const PROFILE: AgentProfile = {
  id: 'p',
  name: 'Gardener',
  agentMDFile: 'Water the plants.',
  systemPrompt: 'Be brief.',
  skills: [
    {
      name: 'prune',
      description: 'Cuts: twigs',
      skillMd: 'Cut them.',
      supportingFiles: [{ relativePath: 'tools/list.txt', content: 'shears' }],
    },
  ],
  subagents: [
    { name: 'weeder', description: 'Weeds', prompt: 'Weed.', tools: ['Read', 'Grep'], model: 'm' },
  ],
  commands: [{ name: 'rake', prompt: 'Rake $ARGUMENTS.' }],
  mcpServers: [
    { name: 'shed', command: 'shed-server', args: ['-v'] },
    { name: 'shop', url: 'https://shop.example/mcp' },
  ],
};

function adapterIn(home = emptyHome()) {
  return createRobotaArchitecture({ provider: { name: 'none', chat: unasked } })({ home });
}

async function unasked(): Promise<never> {
  throw new Error('This provider is not asked.');
}

describe('a profile for our own engine', () => {
  it('becomes files below .robota of the home', async () => {
    const adapter = adapterIn();
    const files: Record<string, string> = {};

    await adapter.setupAgentProfile({
      agentProfile: PROFILE,
      writeFile: async (path, content) => {
        files[path.replace(adapter.getPaths().AGENT_PROFILE_DIR, '')] = content;
      },
    });

    expect(files).toEqual({
      '/AGENTS.md': 'Water the plants.',
      '/skills/prune/SKILL.md': '---\nname: "prune"\ndescription: "Cuts: twigs"\n---\n\nCut them.',
      '/skills/prune/tools/list.txt': 'shears',
      '/agents/weeder.md':
        '---\nname: "weeder"\ndescription: "Weeds"\nmodel: "m"\ntools: "Read, Grep"\n---\n\nWeed.',
      '/commands/rake.md': 'Rake $ARGUMENTS.',
      '/mcp.json': `${JSON.stringify(
        {
          mcpServers: {
            shed: { command: 'shed-server', args: ['-v'] },
            shop: { type: 'http', url: 'https://shop.example/mcp' },
          },
        },
        null,
        2,
      )}\n`,
    });
  });

  it('reaches the model: instructions, skills and agents', async () => {
    const { open, provider } = await robotaAgent([says('ok')]);
    const { mcpServers, ...agentProfile } = PROFILE;
    const session = await open({ ...NEW, agentProfile });

    await read(session.sendMessage('hi'));

    const prompt = provider.requests[0]?.[0]?.content;
    expect(prompt).toContain('Be brief.\n\nWater the plants.');
    expect(prompt).toContain('- prune');
    expect(JSON.stringify(provider.requestOptions[0]?.tools)).toContain('weeder');
  });

  it('has commands that a message runs by name', async () => {
    const { open, provider } = await robotaAgent([says('raked')]);
    const { mcpServers, ...agentProfile } = PROFILE;
    const session = await open({ ...NEW, agentProfile });

    await read(session.sendMessage('/rake leaves'));

    expect(provider.requests[0]?.at(-1)?.content).toContain('Rake leaves.');
    expect(session.getState().metadata?.lastTurn).toEqual({ status: 'completed' });
    expect(said(session.getState().blocks).at(-1)).toEqual(['assistant_text', 'raked']);
  });

  it('gives commands its environment, and the home for HOME', async () => {
    const { open } = await robotaAgent(
      [calls({ id: 'a', name: 'Bash', args: { command: 'echo "$TREE in $HOME"' } }), says('ok')],
      { builtinTools: true, permissionMode: 'bypassPermissions' },
    );
    const home = emptyHome();
    const agentProfile = { id: 'p', name: 'p', environmentVariables: { TREE: 'oak' } };
    const session = await open({ ...NEW, agentProfile }, home);

    await read(session.sendMessage('hi'));

    expect(session.getState().blocks).toContainEqual(
      expect.objectContaining({
        type: 'tool_result',
        output: expect.stringContaining(`oak in ${home.homeDirectory}`),
      }),
    );
  });
});

describe('transcripts of our own engine', () => {
  it('are put where a session looks for them, and found there', async () => {
    const home = emptyHome();
    const adapter = adapterIn(home);
    const before = await adapter.findTranscripts('s1');
    const transcripts = {
      main: '{"event":"user"}\n',
      subagents: [{ id: 'sub', transcript: '{}\n' }],
    };

    await adapter.setupSessionTranscripts({
      sessionId: 's1',
      transcripts,
      writeFile: (path, content) => home.writeFile(path, content),
    });

    const logs = join(home.homeDirectory, '.robota', 'logs');
    expect(before).toEqual({ main: undefined, subagents: [] });
    expect(await adapter.findTranscripts('s1')).toEqual({
      main: join(logs, 's1.jsonl'),
      subagents: [{ id: 'sub', path: join(logs, 's1', 'subagents', 'sub.jsonl') }],
    });
    expect(readFileSync(join(logs, 's1.jsonl'), 'utf8')).toBe(transcripts.main);
  });

  it('lie where the user has moved them, in the home of the user', () => {
    process.env.ROBOTA_HOME = '/moved';

    const adapter = adapterIn(
      new LocalAgentHome({ root: place.home, homeDirectory: place.home, workspaceDirectory: '/w' }),
    );

    expect(adapter.getPaths()).toEqual({
      AGENT_STORAGE_DIR: '/moved/logs',
      WORKSPACE_DIR: '/w',
      AGENT_PROFILE_DIR: '/moved',
      AGENT_MD_FILE: '/moved/AGENTS.md',
    });
  });

  it('cannot be put elsewhere by their id', async () => {
    const adapter = adapterIn();
    const setup = { sessionId: '../evil', transcripts: { main: '' }, writeFile: unasked };

    await expect(adapter.setupSessionTranscripts(setup)).rejects.toMatchObject({
      code: 'invalid_session_id',
    });
  });
});
