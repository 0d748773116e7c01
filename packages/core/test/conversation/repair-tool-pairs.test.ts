import {
  createAssistantMessage,
  createToolMessage,
  createUserMessage,
  OUTCOME_UNKNOWN_TEXT,
  repairToolPairs,
} from '@robota-sdk/agent-core';
import { describe, expect, it } from 'vitest';

const user = createUserMessage('Go');
const ask = (...ids: readonly string[]) =>
  createAssistantMessage(null, {
    toolCalls: ids.map((id) => ({
      id,
      type: 'function',
      function: { name: 'Read', arguments: '{}' },
    })),
  });

describe('repairing tool pairs', () => {
  it('leaves a sound history as it is', () => {
    const history = [user, ask('1'), createToolMessage('a', '1'), createAssistantMessage('Done.')];

    expect(repairToolPairs(history)).toBe(history);
  });

  it('says that an outcome is unknown where no result was recorded', () => {
    const history = [user, ask('1', '2'), createToolMessage('b', '2')];

    expect(repairToolPairs(history)).toMatchObject([
      user,
      history[1] ?? {},
      {
        toolCallId: '1',
        name: 'Read',
        content: OUTCOME_UNKNOWN_TEXT,
        metadata: { success: false, errorCode: 'outcome_unknown' },
      },
      { toolCallId: '2', content: 'b' },
    ]);
    expect(OUTCOME_UNKNOWN_TEXT).toBe(
      'Error: The outcome of this tool call is unknown: the session ended before a result was recorded. Check before running it again.',
    );
  });

  it('drops results without a call, at any depth, and repeated results', () => {
    const [call, result] = [ask('1'), createToolMessage('a', '1')];
    const history = [
      createToolMessage('stray', '0'),
      user,
      call,
      result,
      createToolMessage('again', '1'),
      createAssistantMessage('Done.'),
      createToolMessage('late', '1'),
      user,
    ];

    expect(repairToolPairs(history)).toEqual([user, call, result, history[5], user]);
  });

  it('moves what slipped between a call and its result behind the result', () => {
    const [call, result, note] = [ask('1'), createToolMessage('a', '1'), createUserMessage('Wait')];

    expect(repairToolPairs([user, call, note, result])).toEqual([user, call, result, note]);
  });

  it('gives calls that share an id ids of their own, results included', () => {
    const history = [
      ask('1'),
      createToolMessage('a', '1'),
      ask('1', '1'),
      createToolMessage('b', '1'),
      createToolMessage('c', '1'),
    ];

    expect(repairToolPairs(history).slice(2)).toMatchObject([
      { toolCalls: [{ id: '1_2' }, { id: '1_3' }] },
      { toolCallId: '1_2', content: 'b' },
      { toolCallId: '1_3', content: 'c' },
    ]);
  });
});
