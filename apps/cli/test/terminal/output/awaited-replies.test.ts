import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { AwaitedReplies } from '../../../src/terminal/output/awaited-replies.ts';

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

/** Notes when the promise is done. */
function watch(promise: Promise<void>): { isDone: boolean } {
  const watched = { isDone: false };
  void promise.then(() => {
    watched.isDone = true;
  });
  return watched;
}

const settle = () => vi.advanceTimersByTimeAsync(0);

it('gives replies to requests in their order, each kind by itself', async () => {
  const replies = new AwaitedReplies();
  const colour = watch(replies.next('background'));
  const [one, two] = [watch(replies.next('drawn')), watch(replies.next('drawn'))];

  replies.arrived('drawn');
  await settle();
  expect([colour.isDone, one.isDone, two.isDone]).toEqual([false, true, false]);

  replies.arrived('drawn');
  replies.arrived('background');
  await settle();
  expect([colour.isDone, one.isDone, two.isDone]).toEqual([true, true, true]);
});

it('counts no late reply for a later request, and a lost one no longer than it may be late', async () => {
  const replies = new AwaitedReplies();
  const late = watch(replies.next('drawn'));
  await vi.advanceTimersByTimeAsync(2_000);
  expect(late.isDone).toBe(true);
  const next = watch(replies.next('drawn'));

  replies.arrived('drawn');
  await settle();
  expect(next.isDone).toBe(false);
  await vi.advanceTimersByTimeAsync(10_000);
  const after = watch(replies.next('drawn'));
  replies.arrived('drawn');
  await settle();

  expect(after.isDone).toBe(true);
});

it('lets the end of the program wait for what is on its way, and not for long', async () => {
  const replies = new AwaitedReplies();
  expect(await replies.all()).toBeUndefined();
  void replies.next('background');
  const answered = watch(replies.all());
  const unanswered = new AwaitedReplies();
  void unanswered.next('background');
  const late = watch(unanswered.all());

  replies.arrived('background');
  await settle();
  expect([answered.isDone, late.isDone]).toEqual([true, false]);
  await vi.advanceTimersByTimeAsync(200);
  expect(late.isDone).toBe(true);
});
