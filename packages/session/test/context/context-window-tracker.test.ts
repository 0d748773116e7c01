import {
  createAssistantMessage,
  createUserMessage,
  estimateSerializedContextTokens,
} from '@robota-sdk/agent-core';
import { ContextWindowTracker } from '@robota-sdk/agent-session';
import { describe, expect, it } from 'vitest';

const user = createUserMessage('Hello there');
const counted = (inputTokens: number, outputTokens: number) =>
  createAssistantMessage('Hi.', { metadata: { inputTokens, outputTokens } });

describe('updateFromHistory', () => {
  it('takes the usage of a final reply as exact', () => {
    const tracker = new ContextWindowTracker('any', 1000);

    expect(tracker.updateFromHistory([user, counted(300, 50)])).toEqual({
      maxTokens: 1000,
      usedTokens: 350,
      usedPercentage: 35,
      remainingPercentage: 65,
    });
  });

  it('never adds up the usage of several replies', () => {
    const tracker = new ContextWindowTracker('any', 1000);

    expect(
      tracker.updateFromHistory([user, counted(300, 50), user, counted(400, 60)]),
    ).toMatchObject({
      usedTokens: 460,
    });
  });

  it('takes the largest estimate when messages follow the last usage', () => {
    const tracker = new ContextWindowTracker('any', 100_000);
    const long = createUserMessage('x'.repeat(8000));
    const history = [user, counted(300, 50), long];

    expect(tracker.updateFromHistory(history).usedTokens).toBe(
      estimateSerializedContextTokens(history),
    );
    expect(tracker.updateFromHistory([user, counted(9000, 50), long]).usedTokens).toBe(9050);
    expect(tracker.updateFromHistory(history, { usageFloorTokens: 20_000 }).usedTokens).toBe(
      20_000,
    );
  });

  it('estimates from the text where no reply was counted', () => {
    const tracker = new ContextWindowTracker('any', 1000);

    expect(tracker.updateFromHistory([user]).usedTokens).toBe(
      estimateSerializedContextTokens([user]),
    );
  });

  it('is never more than full', () => {
    const tracker = new ContextWindowTracker('any', 100);

    expect(tracker.updateFromHistory([user, counted(900, 0)])).toMatchObject({
      usedPercentage: 100,
      remainingPercentage: 0,
    });
  });

  it('knows the window of the model where none is given', () => {
    expect(new ContextWindowTracker('unheard-of').getMaxTokens()).toBe(200_000);
  });
});

describe('shouldAutoCompact', () => {
  it('is due from 83.5 percent of the window on', () => {
    const tracker = new ContextWindowTracker('any', 1000);
    tracker.updateFromHistory([user, counted(834, 0)]);
    const before = tracker.shouldAutoCompact();
    tracker.updateFromHistory([user, counted(835, 0)]);

    expect([before, tracker.shouldAutoCompact()]).toEqual([false, true]);
  });

  it('follows another threshold, and is never due when switched off', () => {
    const tracker = new ContextWindowTracker('any', 1000, 0.5);
    tracker.updateFromHistory([user, counted(600, 0)]);
    const half = tracker.shouldAutoCompact();
    tracker.setAutoCompactThreshold(false);

    expect([half, tracker.shouldAutoCompact()]).toEqual([true, false]);
  });

  it.each([0, -1, 1.01, Number.NaN, '0.5', true, null])('refuses the threshold %s', (threshold) => {
    const message = 'autoCompactThreshold must be a number greater than 0 and at most 1.';
    const tracker = new ContextWindowTracker('any');

    expect(() => tracker.setAutoCompactThreshold(threshold as never)).toThrow(
      new RangeError(message),
    );
    expect(tracker.getAutoCompactThreshold()).toBe(0.835);
  });
});
