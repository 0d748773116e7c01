import { join } from 'node:path';
import { projectPaths, robotaHome, userPaths } from '@robota-sdk/agent-sdk';
import { expect, it } from 'vitest';
import { useTestPlace } from './sandbox-home.ts';

const place = useTestPlace();

it('lies in the home, which is read at call time and can be moved', () => {
  const inHome = robotaHome();
  process.env.ROBOTA_HOME = '/elsewhere';

  expect([inHome, robotaHome()]).toEqual([join(place.home, '.robota'), '/elsewhere']);
  expect(userPaths()).toMatchObject({
    sessions: '/elsewhere/sessions',
    logs: '/elsewhere/logs',
    trust: '/elsewhere/trust.json',
    claudeSettings: join(place.home, '.claude/settings.json'),
  });
});

it('knows the files of a project', () => {
  expect(projectPaths('/code')).toMatchObject({
    settings: '/code/.robota/settings.json',
    settingsLocal: '/code/.robota/settings.local.json',
    claudeSettings: '/code/.claude/settings.json',
    mcpConfig: '/code/.mcp.json',
  });
});
