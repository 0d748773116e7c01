import { BuiltinCommandSource, type Command, CommandRegistry } from '@robota-sdk/agent-sdk';
import { expect, it } from 'vitest';

function registryWith(...sources: Record<string, string[]>[]): CommandRegistry {
  const registry = new CommandRegistry();
  for (const source of sources) {
    for (const [name, commands] of Object.entries(source)) {
      registry.addSource({
        name,
        getCommands: (): Command[] =>
          commands.map((command) => ({ name: command, description: name })),
      });
    }
  }
  return registry;
}

it('gathers the commands of all sources; of two with one name the first counts', () => {
  const registry = registryWith({ mine: ['a', 'b'], yours: ['b', 'c'] });

  expect(registry.getCommands().map(({ name, description }) => [name, description])).toEqual([
    ['a', 'mine'],
    ['b', 'mine'],
    ['c', 'yours'],
  ]);
});

it('filters by prefix, whatever the case', () => {
  const registry = registryWith({ some: ['mode', 'Model', 'help'] });

  expect(registry.getCommands('MO').map(({ name }) => name)).toEqual(['mode', 'Model']);
});

it('finds the qualified name of a plugin command when only one plugin has it', () => {
  const registry = registryWith({ plugins: ['tools:audit', 'one:lint', 'two:lint', 'help'] });

  expect(
    ['audit', 'lint', 'help', 'none'].map((name) => registry.resolveQualifiedName(name)),
  ).toEqual(['tools:audit', null, null, null]);
});

it('replaces a source by its name', () => {
  const registry = registryWith({ skills: ['old'] });

  registry.replaceSource({ name: 'skills', getCommands: () => [{ name: 'new', description: '' }] });

  expect(registry.getCommands().map(({ name }) => name)).toEqual(['new']);
});

it('knows what may follow the built-in commands', () => {
  const registry = new CommandRegistry();
  registry.addSource(new BuiltinCommandSource());

  expect(registry.getCommands()).toHaveLength(16);
  expect(registry.getSubcommands('mode').map(({ name }) => name)).toEqual([
    'plan',
    'default',
    'acceptEdits',
    'bypassPermissions',
  ]);
  expect(registry.getSubcommands('language').map(({ name }) => name)).toEqual([
    'ko',
    'en',
    'ja',
    'zh',
  ]);
  expect(registry.getSubcommands('model').length).toBeGreaterThan(0);
  expect(registry.getSubcommands('Mode')).toEqual(registry.getSubcommands('mode'));
  expect(registry.getSubcommands('help')).toEqual([]);
});
