import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Message } from '@robota-sdk/agent-core';
import { InteractiveSession } from '@robota-sdk/agent-sdk';
import { parseTranscriptFile } from '@robota-sdk/agent-transcript/architectures';
import { describe, expect, it } from 'vitest';
import { useTestPlace } from '../sandbox-home.ts';
import { callsTools, talkingProvider } from './talking-provider.ts';

const place = useTestPlace();

/** Calls the given tools on the first prompt, answers `task …` as a subagent, and ends with the results. */
function delegating(...wanted: { id: string; name: string; args: unknown }[]) {
  return talkingProvider((prompt, messages) => {
    if (prompt.startsWith('task')) return `did ${prompt}`;
    const results = messages.filter(({ role }) => role === 'tool');
    return results.length === 0 ? callsTools(...wanted) : results.map(textOf).join(' | ');
  });
}

function textOf({ content }: Message): string {
  return content ?? '';
}

describe('the Agent tool', () => {
  it('has a subagent work under its own log, streams its conversation and counts its cost', async () => {
    const provider = delegating({
      id: 'call-1',
      name: 'Agent',
      args: { prompt: 'task one', subagent_type: 'Plan' },
    });
    const session = new InteractiveSession({ cwd: place.project, provider, persistence: true });

    const outcome = await session.submit('go');
    await session.shutdown();

    expect(outcome).toMatchObject({ status: 'completed', result: { response: 'did task one' } });
    const { blocks, subagents } = session.getConversation();
    const [subagent] = subagents;
    expect(blocks.find(({ type }) => type === 'subagent')).toMatchObject({
      id: 'subagent:call-1',
      subagentId: subagent?.id,
      name: 'Plan',
      input: 'task one',
      status: 'success',
      output: 'did task one',
    });
    expect(
      subagent?.blocks.map((block) => ('content' in block ? block.content : block.id)),
    ).toEqual(['subagent:call-1:started', 'task one', 'did task one', 'subagent:call-1:completed']);
    const costs = await session.getCosts();
    expect(costs.map(({ causes }) => causes)).toEqual([{ main: 1, subagent: 1 }]);
    const log = join(place.home, '.robota/logs', `${session.sessionId}.jsonl`);
    const parsed = await parseTranscriptFile('robota', log);
    expect(parsed.subagents.map(({ id }) => id)).toEqual([subagent?.id]);
    expect(parsed.subagents[0]?.blocks.map(({ id }) => id)).toEqual(
      subagent?.blocks.map(({ id }) => id),
    );
  });

  it('runs calls made together at the same time', async () => {
    let waiting = 0;
    let meet: () => void = () => undefined;
    const both = new Promise<void>((resolve) => {
      meet = resolve;
    });
    const provider = talkingProvider(async (prompt, messages) => {
      if (prompt.startsWith('task')) {
        waiting += 1;
        if (waiting === 2) meet();
        await both;
        return `did ${prompt}`;
      }
      const results = messages.filter(({ role }) => role === 'tool');
      if (results.length > 0) return results.map(textOf).join(' | ');
      return callsTools(
        { id: 'a', name: 'Agent', args: { prompt: 'task a' } },
        { id: 'b', name: 'Agent', args: { prompt: 'task b' } },
      );
    });
    const session = new InteractiveSession({ cwd: place.project, provider });

    const outcome = await session.submit('go');
    await session.shutdown();

    expect(outcome).toMatchObject({ result: { response: 'did task a | did task b' } });
    expect(session.getConversation().subagents).toHaveLength(2);
  });

  it('takes several jobs in one call and shows each as its own thread', async () => {
    const provider = delegating({
      id: 'call-1',
      name: 'Agent',
      args: {
        jobs: [
          { label: 'A', prompt: 'task a' },
          { prompt: 'task b', subagent_type: 'Explore' },
        ],
      },
    });
    const session = new InteractiveSession({ cwd: place.project, provider });

    const outcome = await session.submit('go');
    await session.shutdown();

    expect(outcome).toMatchObject({
      result: {
        response:
          '## A (general-purpose, completed)\ndid task a\n\n## Job 2 (Explore, completed)\ndid task b',
      },
    });
    const shown = session.getBlocks().filter(({ type }) => type === 'subagent');
    expect(shown.map(({ id }) => id)).toEqual([
      'subagent:call-1',
      'subagent:call-1:1',
      'subagent:call-1:2',
    ]);
  });

  it('refuses unknown agents, empty prompts and broken jobs in words', async () => {
    const provider = delegating(
      { id: '1', name: 'Agent', args: { prompt: 'task', subagent_type: 'Nobody' } },
      { id: '2', name: 'Agent', args: { prompt: ' ' } },
      { id: '3', name: 'Agent', args: { jobs: [] } },
      { id: '4', name: 'Agent', args: { jobs: [{ prompt: 'task' }, { label: 'x' }] } },
    );
    const session = new InteractiveSession({ cwd: place.project, provider });

    const outcome = await session.submit('go');
    await session.shutdown();

    expect(outcome).toMatchObject({
      result: {
        response: [
          'Error: Unknown agent type: Nobody. Known are general-purpose, Explore, Plan.',
          'Error: Agent needs a prompt, or a list of jobs with one each.',
          'Error: jobs must be a list of 1 to 16 tasks.',
          'Error: jobs[1] needs a prompt.',
        ].join(' | '),
      },
    });
  });

  it('asks the same people, with the same rules', async () => {
    const asked: unknown[] = [];
    const provider = talkingProvider((prompt, messages) => {
      const last = messages.at(-1);
      if (last?.role === 'tool') return textOf(last);
      return prompt.startsWith('task')
        ? callsTools({ id: 'b', name: 'Bash', args: { command: 'touch x' } })
        : callsTools({ id: 'a', name: 'Agent', args: { prompt: 'task' } });
    });
    const session = new InteractiveSession({
      cwd: place.project,
      provider,
      permissionHandler: (tool, args) => {
        asked.push([tool, args]);
        return false;
      },
    });

    const outcome = await session.submit('go');
    await session.shutdown();

    expect(asked).toEqual([['Bash', { command: 'touch x' }]]);
    expect(outcome).toMatchObject({
      result: { response: expect.stringContaining('Permission denied') },
    });
    expect(existsSync(join(place.project, 'x'))).toBe(false);
  });

  it('stops its subagents when the turn is stopped', async () => {
    const provider = talkingProvider((prompt, _messages, { signal }) => {
      if (prompt !== 'task')
        return callsTools({ id: 'a', name: 'Agent', args: { prompt: 'task' } });
      session.abort();
      return new Promise((_resolve, reject) => {
        signal?.addEventListener('abort', () => reject(new Error('stopped')));
        if (signal?.aborted) reject(new Error('stopped'));
      });
    });
    const session = new InteractiveSession({ cwd: place.project, provider });

    const outcome = await session.submit('go');
    await session.shutdown();

    expect(outcome.status).toBe('interrupted');
    expect(session.getBlocks().find(({ type }) => type === 'subagent')).toMatchObject({
      status: 'error',
    });
  });

  it('tells the model when a subagent fails', async () => {
    const provider = talkingProvider((prompt, messages) => {
      if (prompt === 'task') throw new Error('out of order');
      const last = messages.at(-1);
      if (last?.role === 'tool') return textOf(last);
      return callsTools({ id: 'a', name: 'Agent', args: { prompt: 'task' } });
    });
    const session = new InteractiveSession({ cwd: place.project, provider });

    const outcome = await session.submit('go');
    await session.shutdown();

    expect(outcome).toMatchObject({
      status: 'completed',
      result: { response: 'Error: Sub-agent error: out of order' },
    });
  });

  it('fires SubagentStart and SubagentStop, not SessionStart and SessionEnd', async () => {
    const fired: string[] = [];
    const group = [
      {
        hooks: [
          {
            type: 'function' as const,
            run: (input: { hook_event_name: string; agent_type?: string }) => {
              fired.push(`${input.hook_event_name} ${input.agent_type ?? ''}`.trim());
              return { exitCode: 0 };
            },
          },
        ],
      },
    ];
    const provider = delegating({ id: 'a', name: 'Agent', args: { prompt: 'task' } });
    const session = new InteractiveSession({
      cwd: place.project,
      provider,
      hooks: { SessionStart: group, SubagentStart: group, SubagentStop: group, SessionEnd: group },
    });

    await session.submit('go');
    await session.shutdown();

    expect(fired).toEqual([
      'SessionStart',
      'SubagentStart general-purpose',
      'SubagentStop general-purpose',
      'SessionEnd',
    ]);
  });

  it('writes nothing where nothing is persisted', async () => {
    const provider = delegating({ id: 'a', name: 'Agent', args: { prompt: 'task' } });
    const session = new InteractiveSession({ cwd: place.project, provider });

    await session.submit('go');
    await session.shutdown();

    expect(readdirSync(place.home)).toEqual([]);
    expect(readdirSync(place.project)).toEqual([]);
  });
});

describe('agents on disk', () => {
  it('come from five places, custom ones before built-in ones, with their model and tools', async () => {
    const agent = (text: string, fields = '') => `---\ndescription: d\n${fields}---\n${text}`;
    place.write('.robota/agents/Plan.md', agent('robota plan', 'tools: Read, Glob\n'));
    place.write('.agents/agents/Plan.md', agent('agents plan'));
    place.write('.claude/agents/third.md', agent('x'));
    place.writeHome('.robota/agents/fourth.md', agent('x'));
    place.writeHome('.claude/agents/fifth.md', agent('x'));
    place.writeHome('.claude/agents/third.md', agent('y'));
    const provider = delegating({
      id: 'a',
      name: 'Agent',
      args: { prompt: 'task', subagent_type: 'Plan' },
    });
    const session = new InteractiveSession({ cwd: place.project, provider });

    await session.submit('go');
    await session.shutdown();

    const { messages, options } = provider.requests[1] ?? { messages: [], options: {} };
    expect(messages[0]?.content).toMatch(/^robota plan\n\n/);
    expect(options.tools?.map(({ name }) => name)).toEqual(['Read', 'Glob']);
    const [tool] =
      provider.requests[0]?.options.tools?.filter(({ name }) => name === 'Agent') ?? [];
    expect(tool?.parameters.properties.subagent_type).toMatchObject({
      enum: ['Plan', 'third', 'fourth', 'fifth', 'general-purpose', 'Explore'],
    });
  });

  it('are named when they are broken or ask for a tool that does not exist; the rest works', async () => {
    const broken = place.write('.robota/agents/broken.md', '---\nmaxTurns: many\n---\nx');
    const empty = place.write('.robota/agents/empty.md', '---\nname: empty\n---\n');
    const odd = place.write('.robota/agents/odd.md', '---\ntools: [Read, Fly]\n---\nx');
    const session = new InteractiveSession({
      cwd: place.project,
      provider: talkingProvider(() => ''),
    });

    await session.whenReady();
    await session.shutdown();

    expect(session.getNotices().map(({ message }) => message)).toEqual([
      `Cannot read ${broken}: maxTurns is not a whole number above 0`,
      `Cannot read ${empty}: an agent needs a text that instructs it`,
      `${odd} names tools that do not exist: Fly.`,
    ]);
  });

  it('of another vendor fall back to the model of the session, said once', async () => {
    const provider = delegating(
      { id: 'a', name: 'Agent', args: { prompt: 'task a', subagent_type: 'Explore' } },
      { id: 'b', name: 'Agent', args: { prompt: 'task b', model: 'opus' } },
      { id: 'c', name: 'Agent', args: { prompt: 'task c', subagent_type: 'Explore' } },
    );
    const session = new InteractiveSession({ cwd: place.project, provider, model: 'gpt-5' });

    await session.submit('go');
    await session.shutdown();

    expect(provider.requests.map(({ options }) => options.model)).toEqual(
      Array.from({ length: 5 }, () => 'gpt-5'),
    );
    expect(session.getNotices().map(({ message }) => message)).toEqual([
      'The model claude-haiku-4-5 is not one of talking; gpt-5 is used instead.',
      'The model claude-opus-4-6 is not one of talking; gpt-5 is used instead.',
    ]);
  });
});

it.each(['subagent_type', 'subagentType'])(
  'runs the agent that a hook names as %s',
  async (name) => {
    const updatedInput = { prompt: 'task', [name]: 'Plan' };
    const hookSpecificOutput = { hookEventName: 'PreToolUse', updatedInput };
    const provider = talkingProvider((prompt, messages) => {
      if (prompt === 'task') return 'planned';
      const last = messages.at(-1);
      if (last?.role === 'tool') return last.content;
      return callsTools({
        id: '1',
        name: 'Agent',
        args: { prompt: 'x', subagent_type: 'Explore' },
      });
    });
    const started: unknown[] = [];
    const session = new InteractiveSession({
      cwd: place.project,
      provider,
      hooks: {
        PreToolUse: [
          {
            matcher: 'Task',
            hooks: [
              {
                type: 'function',
                run: () => ({ exitCode: 0, stdout: JSON.stringify({ hookSpecificOutput }) }),
              },
            ],
          },
        ],
        SubagentStart: [
          {
            hooks: [
              {
                type: 'function',
                run: ({ agent_type }) => {
                  started.push(agent_type);
                  return { exitCode: 0 };
                },
              },
            ],
          },
        ],
      },
    });

    await session.submit('go');
    await session.shutdown();

    expect(started).toEqual(['Plan']);
  },
);
