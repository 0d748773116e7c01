import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import {
  type AGENT_ARCHITECTURE_TYPE,
  type BuiltInArchitectureType,
  createStreamTranslator,
  parseTranscripts,
  type TranscriptParser,
  toAgentName,
  toAgentType,
  transcriptFormats,
} from '@robota-sdk/agent-transcript';
import {
  type AgentRegistration,
  findAgentSessions,
  getAgentArchitectureAdapter,
  isAgentArchitecture,
  parseTranscriptFile,
  registerAgent,
  registeredAgents,
} from '@robota-sdk/agent-transcript/architectures';
import { afterEach, expect, expectTypeOf, it } from 'vitest';
import { temporaryFolder } from '../drivers/temporary-home.ts';

const src = join(import.meta.dirname, '../../src');
const NAMES = {
  'claude-agent-sdk': 'claude',
  'gemini-cli': 'gemini',
  codex: 'codex',
  robota: 'robota',
};
let forget: (() => void) | undefined;

afterEach(() => {
  forget?.();
  forget = undefined;
});

it('accepts any agent type, and completes built-in ones', () => {
  expectTypeOf<string>().toExtend<AGENT_ARCHITECTURE_TYPE>();
  expectTypeOf<BuiltInArchitectureType>().toExtend<AGENT_ARCHITECTURE_TYPE>();
});

it('registers the built-in agents under their short names', () => {
  expect(
    Object.fromEntries(registeredAgents().map(({ type, name }) => [type, name])),
  ).toMatchObject(NAMES);
  expect(
    transcriptFormats()
      .map(({ type }) => type)
      .sort(),
  ).toEqual(
    registeredAgents()
      .map(({ type }) => type)
      .sort(),
  );
});

it('converts between types and names', () => {
  expect(toAgentType('claude')).toBe('claude-agent-sdk');
  expect(toAgentType('claude-agent-sdk')).toBe('claude-agent-sdk');
  expect(toAgentType('nobody')).toBeUndefined();
  expect(toAgentName('gemini-cli')).toBe('gemini');
  expect(toAgentName('acp:other')).toBe('acp:other');
});

it('reads, finds and translates for an agent registered at runtime, until it is removed', async () => {
  const path = join(temporaryFolder(), 'x.log');
  writeFileSync(path, 'hello\nthere\n');
  forget = registerAgent(echoAgent(path));

  const { blocks } = await parseTranscriptFile('acp:echo', path);
  const found: string[] = [];
  for await (const { id } of findAgentSessions({ agents: ['echo'] })) found.push(id);

  expect(blocks.map(({ id }) => id)).toEqual(['hello', 'there']);
  expect(parseTranscripts('acp:echo', { main: 'hi' }).blocks).toHaveLength(1);
  expect(createStreamTranslator('acp:echo').translate('hi')).toEqual([]);
  expect(found).toEqual(['1']);
  expect(() => getAgentArchitectureAdapter('acp:echo')).toThrow(/read and followed, not driven/);
  forget();
  forget = undefined;
  expect(isAgentArchitecture('acp:echo')).toBe(false);
  expect(() => parseTranscripts('acp:echo', { main: 'hi' })).toThrow(/no agent architecture/);
});

it('rejects a name that another agent has, and allows replacing an agent', () => {
  expect(() => registerAgent({ ...echoAgent(''), name: 'claude' })).toThrow(
    /already used by claude/,
  );
  expect(() => registerAgent({ ...echoAgent(''), name: 'codex' })).toThrow(/already used by codex/);
  const [first] = registeredAgents();
  forget = registerAgent({ ...(first as AgentRegistration), title: 'Another' });

  expect(registeredAgents()[0]?.title).toBe('Another');
  forget();
  expect(registeredAgents()[0]?.title).toBe(first?.title);
});

it('checks the agent type nowhere outside the folders of the agents', () => {
  const outside = sourceFiles(src).filter((file) => !/^architectures\/[^/]+\//.test(file));
  const asking = outside.filter((file) => {
    const code = readFileSync(join(src, file), 'utf8');
    return /(?:[!=]==\s*|case\s+)'(?:claude-agent-sdk|gemini-cli|codex|robota)'/.test(code);
  });

  expect(asking).toEqual([]);
});

function echoAgent(path: string): AgentRegistration {
  return {
    type: 'acp:echo',
    name: 'echo',
    title: 'Echo',
    parser: echoParser,
    createTranslator: () => ({ translate: () => [], end: () => [] }),
    layout: { findSubagentFiles: async () => [] },
    finder: {
      async *find() {
        yield { type: 'acp:echo', id: '1', path, cwd: undefined, preview: undefined, updatedAt: 0 };
      },
      resumeCommand: (id) => ['echo', id],
    },
  };
}

const echoParser: TranscriptParser = {
  start() {
    const lines: string[] = [];
    return {
      line: (text) => void lines.push(text),
      subagent: () => ({ line: () => undefined }),
      end: () => ({
        blocks: lines.map((id) => ({ type: 'user_message', id, timestamp: '', content: id })),
        subagents: [],
        superseded: [],
        skipped: { lines: 0, kinds: {} },
        metadata: {},
      }),
    };
  },
};

function sourceFiles(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => relative(src, join(entry.parentPath, entry.name)));
}
