import { expandModelAlias } from '@robota-sdk/agent-core';
import type { AgentDefinition } from './agent-definition.ts';

/** The built-in agents; a custom one of the same name replaces them. */
export const BUILTIN_AGENTS: readonly AgentDefinition[] = [
  {
    name: 'general-purpose',
    description: 'Does a task of several steps by itself, with all tools.',
    systemPrompt:
      'You are an agent that carries out one task for another agent. Do all of it and nothing beside it. Search widely when you do not know where something is, read what you find, and prefer changing files that exist to making new ones.',
  },
  {
    name: 'Explore',
    description: 'Finds its way through a code base and reports what it found; changes nothing.',
    systemPrompt:
      'You explore a code base and change nothing: no file is written, no command with an effect is run. Find files by name and content, read the parts that matter, and answer with paths and line numbers.',
    model: expandModelAlias('haiku'),
    disallowedTools: ['Write', 'Edit'],
  },
  {
    name: 'Plan',
    description: 'Studies a task and the code it touches and designs the steps; changes nothing.',
    systemPrompt:
      'You plan a change and make none: no file is written, no command with an effect is run. Study the code, follow the patterns you find, and answer with the steps in order, the files each of them touches and what could go wrong.',
    disallowedTools: ['Write', 'Edit'],
  },
];
