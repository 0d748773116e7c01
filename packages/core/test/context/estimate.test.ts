import {
  Agent,
  contextWindowState,
  createAssistantMessage,
  createUserMessage,
  estimateContextTokensFromMessages,
  estimateSerializedContextTokens,
  type Message,
  readUsage,
} from '@robota-sdk/agent-core';
import { scriptedProvider } from '@robota-sdk/agent-core/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

const said = (text: string, metadata?: Message['metadata']) =>
  createAssistantMessage(text, metadata && { metadata });

describe('the context estimate', () => {
  it('is a quarter of the characters of the messages as JSON', () => {
    const messages = [createUserMessage('Grüße "x"\n'), said('Hallo')];

    expect(estimateSerializedContextTokens(messages)).toBe(
      Math.ceil(JSON.stringify(messages).length / 4),
    );
    expect(estimateSerializedContextTokens([])).toBe(1);
  });

  it('trusts the vendor when its reply is the last message', () => {
    const messages = [createUserMessage('x'.repeat(4_000)), said('y', USAGE)];

    expect(estimateContextTokensFromMessages(messages)).toMatchObject({
      usedTokens: 130,
      providerTokens: 130,
    });
  });

  it('takes the largest estimate once other messages follow', () => {
    const short = [said('y', USAGE), createUserMessage('x')];
    const long = [said('y', USAGE), createUserMessage('x'.repeat(4_000))];

    expect(estimateContextTokensFromMessages(short).usedTokens).toBe(130);
    expect(estimateContextTokensFromMessages(long).usedTokens).toBeGreaterThan(1_000);
    expect(estimateContextTokensFromMessages(short, { usageFloorTokens: 500 })).toMatchObject({
      usedTokens: 500,
      usageFloorTokens: 500,
    });
  });

  it('counts an image by what vendors charge, not by its base64 text', () => {
    const image = {
      type: 'image_inline',
      mimeType: 'image/png',
      data: 'A'.repeat(1_000_000),
    } as const;
    const messages = [createUserMessage('Look', { parts: [image] })];

    expect(estimateSerializedContextTokens(messages)).toBeLessThan(2_000);
  });

  it('forgets what the vendor counted once the history was replaced, but not after a resume', () => {
    const reply = said('y', { inputTokens: 190_000, outputTokens: 1 });
    const agent = new Agent({ provider: scriptedProvider() });

    agent.restoreMessages([createUserMessage('x'), reply]);
    const resumed = agent.getContextEstimate().usedTokens;
    agent.replaceHistory([said('Summary'), reply], 'compaction');

    expect(resumed).toBe(190_001);
    expect(agent.getContextEstimate().usedTokens).toBeLessThan(200);
    expect(estimateContextTokensFromMessages(agent.getHistory()).usedTokens).toBeLessThan(200);
    expect(agent.getHistory().map(readUsage).at(-1)).toMatchObject({ inputTokens: 190_000 });
  });

  it('is the same kept up message by message as counted afresh', () => {
    const text = fc.string({ maxLength: 30 });
    const change = fc.oneof(
      fc.record({ kind: fc.constant('inject' as const), text }),
      fc.record({ kind: fc.constant('reply' as const), text, tokens: fc.nat(500) }),
      fc.record({ kind: fc.constant('truncate' as const), length: fc.nat(6) }),
      fc.record({ kind: fc.constant('system' as const), text }),
    );
    fc.assert(
      fc.property(fc.array(change, { maxLength: 20 }), (changes) => {
        const agent = new Agent({ provider: scriptedProvider() });
        for (const next of changes) {
          if (next.kind === 'inject') agent.injectMessage('user', next.text);
          else if (next.kind === 'truncate') agent.truncateHistory(next.length);
          else if (next.kind === 'system') agent.setSystemMessage(next.text);
          else {
            const { tokens } = next;
            const reply = said(next.text, { inputTokens: tokens, outputTokens: 1 });
            agent.restoreMessages([...agent.getHistory(), reply]);
          }
        }

        expect(agent.getContextEstimate()).toEqual(
          estimateContextTokensFromMessages(agent.getHistory()),
        );
      }),
    );
  });
});

const USAGE = { inputTokens: 100, outputTokens: 30 };

describe('the usage of a message', () => {
  it.each([
    [{ inputTokens: 1, outputTokens: 2, cacheReadTokens: 1 }],
    [{ promptTokens: 1, completionTokens: 2, cacheReadTokens: 1 }],
    [{ usage: { inputTokens: 1, outputTokens: 2, cacheReadTokens: 1 } }],
    [{ usage: '{"promptTokens":1,"completionTokens":2,"cacheReadTokens":1}' }],
  ])('is read from %j', (metadata) => {
    expect(readUsage(said('x', metadata))).toEqual({
      inputTokens: 1,
      outputTokens: 2,
      cacheReadTokens: 1,
    });
  });

  it('is not made up from half of the numbers', () => {
    expect(readUsage(said('x', { inputTokens: 1 }))).toBeUndefined();
    expect(readUsage(said('x', { inputTokens: Number.NaN, outputTokens: 1 }))).toBeUndefined();
    expect(readUsage(said('x', { usage: 'plenty' }))).toBeUndefined();
  });
});

describe('the state of a window', () => {
  it('rounds to two decimals and stops at 100', () => {
    expect(contextWindowState(1, 3)).toEqual({
      maxTokens: 3,
      usedTokens: 1,
      usedPercentage: 33.33,
      remainingPercentage: 66.67,
    });
    expect(contextWindowState(9, 3)).toMatchObject({ usedPercentage: 100, remainingPercentage: 0 });
  });
});
