import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { calls, says, scriptedProvider } from '@robota-sdk/agent-core/testing';
import { CommandRegistry, InteractiveSession, SkillCommandSource } from '@robota-sdk/agent-sdk';
import { describe, expect, it } from 'vitest';
import { useTestPlace } from '../sandbox-home.ts';
import { talkingProvider } from '../subagents/talking-provider.ts';

const place = useTestPlace();

function skill(description: string, body = 'Do it.', fields = ''): string {
  return `---\ndescription: ${description}\n${fields}---\n${body}\n`;
}

function lastPrompt(provider: ReturnType<typeof scriptedProvider>, request = 0): string {
  return provider.requests[request]?.findLast(({ role }) => role === 'user')?.content ?? '';
}

describe('SkillCommandSource', () => {
  it('finds skills in six places; of one name the first place wins', () => {
    place.write('.claude/skills/one/SKILL.md', skill('first'));
    place.write('.claude/commands/one.md', skill('second'));
    place.write('.claude/commands/two.md', skill('second'));
    place.writeHome('.robota/skills/two/SKILL.md', skill('third'));
    place.writeHome('.robota/skills/three/SKILL.md', skill('third'));
    place.write('.agents/skills/three/SKILL.md', skill('fourth'));
    place.write('.agents/skills/four/SKILL.md', skill('fourth'));
    place.writeHome('.claude/skills/four/SKILL.md', skill('fifth'));
    place.writeHome('.claude/skills/five/SKILL.md', skill('fifth'));
    place.writeHome('.claude/commands/six.md', skill('sixth'));

    const registry = new CommandRegistry();
    registry.addSource(new SkillCommandSource(place.project));

    expect(registry.getCommands().map(({ name, description }) => [name, description])).toEqual([
      ['one', 'first'],
      ['two', 'second'],
      ['three', 'third'],
      ['four', 'fourth'],
      ['five', 'fifth'],
      ['six', 'sixth'],
    ]);
  });

  it('reads real YAML, takes colons as Claude Code does, and keeps what it read', () => {
    place.write(
      '.claude/skills/a/SKILL.md',
      '---\nname: audit\ndescription: >\n  Looks at\n  everything\nargument-hint: "[file]"\nuser-invocable: true\n---\nBody',
    );
    place.write('.claude/commands/b.md', '---\ndescription: Use when: in doubt\n---\nBody');
    const source = new SkillCommandSource(place.project);

    const commands = source.getCommands();
    place.write('.claude/commands/c.md', 'later');

    expect(commands).toEqual([
      {
        name: 'audit',
        description: 'Looks at everything',
        source: 'skill',
        argumentHint: '[file]',
      },
      { name: 'b', description: 'Use when: in doubt', source: 'skill' },
    ]);
    expect(source.getCommands()).toEqual(commands);
    source.reload();
    expect(source.getCommands().map(({ name }) => name)).toEqual(['audit', 'b', 'c']);
  });

  it('takes a file without frontmatter as instruction and names one that is broken', () => {
    place.write('.claude/skills/plain/SKILL.md', 'Just do it.');
    const broken = place.write('.claude/skills/broken/SKILL.md', '---\n- [a\n---\nBody');
    const source = new SkillCommandSource(place.project);

    expect(source.getSkills().map(({ name, body }) => [name, body])).toEqual([
      ['plain', 'Just do it.'],
    ]);
    expect(source.getProblems()).toEqual([expect.stringContaining(`Cannot read ${broken}`)]);
  });
});

describe('a skill run by a person', () => {
  it('sends its text with the arguments, shows what was typed, and leaves an entry', async () => {
    place.write(
      '.claude/skills/audit/SKILL.md',
      skill('Audits', `Look at $0 of $ARGUMENTS in ${'$'}{CLAUDE_SKILL_DIR}.`),
    );
    const provider = scriptedProvider(says('All fine.'));
    const session = new InteractiveSession({ cwd: place.project, provider });

    const result = await session.executeCommand('audit', 'src deeply');
    await session.shutdown();

    expect(result).toEqual({
      success: true,
      message: 'All fine.',
      data: { skillName: 'audit', mode: 'inject', status: 'completed' },
    });
    expect(lastPrompt(provider)).toBe(
      `<skill name="audit">\nLook at src of src deeply in ${place.project}/.claude/skills/audit.\n</skill>\n\nExecute the "audit" skill: src deeply`,
    );
    expect(session.getMessages().map(({ content }) => content)).toEqual([
      '/audit src deeply',
      'All fine.',
    ]);
    expect(session.getFullHistory().find(({ type }) => type === 'skill-invocation')).toMatchObject({
      category: 'event',
      data: { skillName: 'audit', displayInput: '/audit src deeply' },
    });
  });

  it('is listed with the commands, but never takes the place of a built-in one', async () => {
    place.write('.claude/commands/help.md', skill('mine'));
    place.write('.claude/commands/hidden.md', skill('hidden', 'x', 'user-invocable: false\n'));
    place.write('.claude/commands/deploy.md', skill('Deploys'));
    const session = new InteractiveSession({ cwd: place.project, provider: scriptedProvider() });

    await session.whenReady();

    const names = session.listCommands().map(({ name }) => name);
    expect(names.filter((name) => name === 'help')).toHaveLength(1);
    expect(names).toContain('deploy');
    expect(names).not.toContain('hidden');
    expect(await session.executeCommand('hidden')).toBeNull();
    expect(await session.executeCommand('nonsense')).toBeNull();
    await session.shutdown();
  });

  it('has a subagent do it in fork mode, with its tools alone, and the result joins the conversation', async () => {
    place.write(
      '.claude/skills/review/SKILL.md',
      skill('Reviews', 'Review.', 'context: fork\nallowed-tools: Read, Grep\n'),
    );
    const provider = scriptedProvider(says('Report.'), says('Welcome.'));
    const session = new InteractiveSession({ cwd: place.project, provider });

    const result = await session.executeCommand('review', '');
    await session.submit('thanks');
    await session.shutdown();

    expect(result).toMatchObject({ success: true, message: 'Report.', data: { mode: 'fork' } });
    expect(provider.requestOptions[0]?.tools?.map(({ name }) => name)).toEqual(['Read', 'Grep']);
    expect(provider.requests[0]?.[0]?.content).toContain('Keep your report under 500 words');
    expect(provider.requests[1]?.slice(1).map(({ content }) => content)).toEqual([
      '/review',
      'Report.',
      'thanks',
    ]);
  });
});

it('a fork is called off with the session’s abort', async () => {
  place.write('.claude/skills/slow/SKILL.md', skill('Slow', 'Work.', 'context: fork\n'));
  const provider = talkingProvider((_prompt, _messages, { signal }) => {
    session.abort();
    return new Promise((_resolve, reject) => {
      signal?.addEventListener('abort', () => reject(new Error('stopped')));
      if (signal?.aborted) reject(new Error('stopped'));
    });
  });
  const session = new InteractiveSession({ cwd: place.project, provider });

  const result = await session.executeCommand('slow');
  await session.shutdown();

  expect(result).toMatchObject({ success: false, message: 'The subagent was interrupted.' });
});

describe('commands inside a skill', () => {
  const body = 'State: !`echo hello` and !`echo "[$ARGUMENTS]"`';

  it('run where a rule allows them, as written', async () => {
    place.write('.claude/skills/state/SKILL.md', skill('State', body));
    const provider = scriptedProvider(says('ok'));
    const session = new InteractiveSession({
      cwd: place.project,
      provider,
      trust: true,
      allowedTools: ['Bash(echo *)'],
    });

    await session.executeCommand('state', '; rm -rf x');
    await session.shutdown();

    expect(lastPrompt(provider)).toContain('State: hello and []\n');
  });

  it('ask where no rule does, and say so when they are not allowed', async () => {
    place.write('.claude/skills/state/SKILL.md', skill('State', 'State: !`touch made`'));
    const provider = scriptedProvider(says('ok'));
    const asked: unknown[] = [];
    const session = new InteractiveSession({
      cwd: place.project,
      provider,
      trust: true,
      permissionHandler: (tool, args) => {
        asked.push([tool, args]);
        return false;
      },
    });

    await session.executeCommand('state');
    await session.shutdown();

    expect(asked).toEqual([['Bash', { command: 'touch made' }]]);
    expect(lastPrompt(provider)).toContain('[not run: touch made: the user did not approve it]');
  });

  it('do not run in a directory that is not trusted', async () => {
    const file = place.write('.claude/skills/state/SKILL.md', skill('State', body));
    const provider = scriptedProvider();
    const session = new InteractiveSession({
      cwd: place.project,
      provider,
      allowedTools: ['Bash(*)'],
    });

    const result = await session.executeCommand('state');
    await session.shutdown();

    expect(result).toEqual({
      success: false,
      message: `The skill "state" (${file}) runs commands, and this directory is not trusted.`,
    });
  });
});

describe('a skill for the model', () => {
  it('is in the prompt by name and description, a tool in the schemas, and returns its text', async () => {
    place.write('.claude/skills/audit/SKILL.md', skill('Audits things', 'Check $ARGUMENTS.'));
    place.write(
      '.claude/skills/secret/SKILL.md',
      skill('No', 'x', 'disable-model-invocation: true\n'),
    );
    const provider = scriptedProvider(
      calls({ id: 't', name: 'robota_command_audit', args: { arguments: 'all' } }),
      says('done'),
    );
    const session = new InteractiveSession({ cwd: place.project, provider });

    await session.submit('audit please');
    await session.shutdown();

    const system = provider.requests[0]?.[0]?.content ?? '';
    expect(system).toContain('- audit (robota_command_audit): Audits things');
    expect(system).not.toContain('Check $ARGUMENTS');
    const names = provider.requestOptions[0]?.tools?.map(({ name }) => name) ?? [];
    expect(names.filter((name) => name.startsWith('robota_command_'))).toEqual([
      'robota_command_audit',
    ]);
    expect(provider.requests[1]?.at(-1)?.content).toBe(
      '<skill name="audit">\nCheck all.\n</skill>\n\nExecute the "audit" skill: all',
    );
  });
});

it('skills and agents that are links out of the project are left out, with a notice', async () => {
  const secret = place.writeHome('secret.md', 'PRIVATE');
  mkdirSync(join(place.project, '.claude/skills/leak'), { recursive: true });
  mkdirSync(join(place.project, '.claude/agents'), { recursive: true });
  symlinkSync(secret, join(place.project, '.claude/skills/leak/SKILL.md'));
  symlinkSync(secret, join(place.project, '.claude/agents/leak.md'));
  const notices: string[] = [];
  const session = new InteractiveSession({
    cwd: place.project,
    provider: scriptedProvider(says('hi')),
    trust: true,
  });
  session.on('notice', ({ message }) => notices.push(message));

  await session.whenReady();
  await session.shutdown();

  expect(notices.map((notice) => notice.replace(place.project, ''))).toEqual([
    `Cannot read /.claude/agents/leak.md: it is a link that leads out of ${place.project}`,
    `Cannot read /.claude/skills/leak/SKILL.md: it is a link that leads out of ${place.project}`,
  ]);
});
