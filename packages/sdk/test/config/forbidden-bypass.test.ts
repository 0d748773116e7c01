import { calls, says, scriptedProvider } from '@robota-sdk/agent-core/testing';
import {
  AgentLiveSession,
  createSubagentSession,
  InteractiveSession,
  resolveSettings,
  SessionHost,
  type SessionHostOptions,
  toLiveSession,
} from '@robota-sdk/agent-sdk';
import { describe, expect, it, onTestFinished } from 'vitest';
import { fakePlace } from '../live/fake-programs.ts';
import { useTestPlace } from '../sandbox-home.ts';

const place = useTestPlace();
const FORBIDDING = { permissions: { disableBypassPermissionsMode: 'disable' } };
const SENTENCE =
  /bypassPermissions is forbidden by .*disableBypassPermissionsMode \((.*settings.json)\)/;

type Given = Partial<ConstructorParameters<typeof InteractiveSession>[0]>;

function open(options: Given = {}): InteractiveSession {
  const provider = scriptedProvider(
    calls({ id: 'w', name: 'Write', args: { filePath: 'made.txt', content: 'x' } }),
    says('done'),
  );
  const session = new InteractiveSession({ cwd: place.project, provider, ...options } as never);
  onTestFinished(() => session.shutdown());
  return session;
}

function told(session: InteractiveSession): string[] {
  return session.getNotices().flatMap(({ message }) => (SENTENCE.test(message) ? [message] : []));
}

describe('without the setting', () => {
  it('the mode can be started in and switched to', async () => {
    const started = open({ permissionMode: 'bypassPermissions' });
    await started.whenReady();
    const switched = open();
    await switched.whenReady();

    expect(await switched.executeCommand('mode', 'bypassPermissions')).toMatchObject({
      success: true,
    });
    expect([started.getPermissionMode(), switched.getPermissionMode()]).toEqual([
      'bypassPermissions',
      'bypassPermissions',
    ]);
    expect(toLiveSession(started).getCapabilities().permissionModes).toContain('bypassPermissions');
    expect(told(started)).toEqual([]);
  });
});

describe('where a settings file forbids it', () => {
  it.each([
    ['asked for in code or by flag', { permissionMode: 'bypassPermissions' }, {}],
    ['in the settings of the invocation', { settings: bypassing() }, {}],
    ['in the environment', {}, { ROBOTA_PERMISSION_MODE: 'bypassPermissions' }],
  ] as const)(
    'a session starts in default and says who forbids: %s',
    async (_name, options, env) => {
      const file = place.writeHome('.robota/settings.json', FORBIDDING);
      Object.assign(process.env, env);
      const states: unknown[] = [];
      const session = open(options as Given);
      session.on('state', (state) => states.push(state));

      await session.whenReady();

      expect(session.getPermissionMode()).toBe('default');
      expect(told(session)).toHaveLength(1);
      expect(told(session)[0]).toContain(file);
      expect(session.getSystemPrompt()).not.toContain('bypassPermissions:');
      if ('permissionMode' in options) expect(states).toContainEqual({ permissionMode: 'default' });
    },
  );

  it('a lower and a higher layer that want the mode do not lift it', async () => {
    place.writeHome('.claude/settings.json', bypassing());
    place.writeHome('.robota/settings.json', FORBIDDING);
    place.write('.robota/settings.local.json', bypassing());
    const session = open({ trust: true });

    await session.whenReady();

    expect(session.getPermissionMode()).toBe('default');
    expect(told(session)).toHaveLength(1);
  });

  it('a higher layer cannot unsay it, whatever it writes there', async () => {
    const file = place.writeHome('.claude/settings.json', FORBIDDING);
    place.write('.robota/settings.json', {
      permissions: { disableBypassPermissionsMode: 'enable' },
    });

    const { config, notices } = await resolveSettings({ cwd: place.project, trust: true });

    expect(config.permissions?.bypassForbiddenBy).toBe(file);
    expect(notices.join()).toContain('permissions.disableBypassPermissionsMode');
  });

  it('a project may forbid it without being trusted, and is not asked about', async () => {
    const file = place.write('.claude/settings.json', FORBIDDING);

    const { config, inactive } = await resolveSettings({ cwd: place.project, trust: false });

    expect([config.permissions?.bypassForbiddenBy, inactive]).toEqual([file, []]);
  });

  it('no switch reaches it: command, change, method, before and after the start', async () => {
    place.writeHome('.claude/settings.json', FORBIDDING);
    const early = open();
    early.setPermissionMode('bypassPermissions');
    await early.whenReady();
    const session = open();
    const live = toLiveSession(session);
    await expect(live.change({ permissionMode: 'bypassPermissions' })).rejects.toThrow(SENTENCE);

    expect(early.getPermissionMode()).toBe('default');
    expect(told(early)).toHaveLength(1);
    const command = await session.executeCommand('mode', 'bypassPermissions');
    expect(command).toMatchObject({ success: false, message: expect.stringMatching(SENTENCE) });
    await expect(live.change({ permissionMode: 'bypassPermissions' })).rejects.toMatchObject({
      code: 'mode_forbidden',
      message: expect.stringMatching(SENTENCE),
    });
    expect(() => session.setPermissionMode('bypassPermissions')).toThrow(SENTENCE);
    expect(session.getPermissionMode()).toBe('default');
    expect(live.getCapabilities().permissionModes).toEqual(['plan', 'default', 'acceptEdits']);
    await live.change({ permissionMode: 'acceptEdits' });
    expect(session.getPermissionMode()).toBe('acceptEdits');
  });

  it('what would have run unasked is asked about', async () => {
    place.writeHome('.robota/settings.json', FORBIDDING);
    const asked: string[] = [];
    const session = open({
      permissionMode: 'bypassPermissions',
      permissionHandler: async (toolName: string) => {
        asked.push(toolName);
        return false;
      },
    } as Given);

    await session.submit('write it');

    expect(asked).toEqual(['Write']);
  });

  it('a subagent does not get it either', () => {
    const session = createSubagentSession({
      agentDefinition: { name: 'a', description: 'd', systemPrompt: 'Be a.' },
      parentConfig: { permissions: { bypassForbiddenBy: 'the managed settings' } },
      parentContext: {},
      parentTools: [],
      provider: scriptedProvider(),
      permissionMode: 'bypassPermissions',
    });
    onTestFinished(() => session.shutdown());

    expect(session.getPermissionMode()).toBe('default');
    expect(() => session.setPermissionMode('bypassPermissions')).toThrow('the managed settings');
  });

  it('no agent program is started in it', async () => {
    let opened = 0;
    const options: SessionHostOptions = {
      defaults: { cwd: place.project, provider: scriptedProvider() },
      openPlace: () => {
        opened += 1;
        return Promise.reject(new Error('a place was opened'));
      },
    };
    const host = new SessionHost(options);
    onTestFinished(() => host.closeAll());
    const create = () => host.create({ agent: 'codex', permissionMode: 'bypassPermissions' });
    await expect(create()).rejects.toThrow('a place was opened');

    place.writeHome('.robota/settings.json', FORBIDDING);

    await expect(create()).rejects.toMatchObject({ code: 'mode_forbidden' });
    expect(opened).toBe(1);
  });
});

it('an agent program that is driven without a host is not started in it either', async () => {
  place.writeHome('.robota/settings.json', FORBIDDING);
  const { place: agentPlace, remove } = await fakePlace('codex');
  onTestFinished(remove);
  const session = new AgentLiveSession({
    type: 'codex',
    place: agentPlace,
    permissionMode: 'bypassPermissions',
  });
  onTestFinished(() => session.shutdown());

  await expect(session.whenReady()).rejects.toMatchObject({ code: 'mode_forbidden' });
});

function bypassing() {
  return { permissions: { defaultMode: 'bypassPermissions' } };
}
