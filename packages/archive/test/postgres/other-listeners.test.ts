import { describe, expect, it, onTestFinished } from 'vitest';
import { OtherListeners } from '../../src/postgres/other-listeners.ts';

/** Listeners that hear each other at once, and themselves, unless they are deaf. */
function room() {
  const present = new Set<OtherListeners>();
  const deaf = new Set<OtherListeners>();
  let time = 0;
  const say = (word: string) => {
    for (const each of present) {
      if (!deaf.has(each)) each.hear(word.charAt(0), Number(word.slice(1)));
    }
  };
  return {
    deaf,
    pass(milliseconds: number) {
      time += milliseconds;
    },
    enter() {
      const listener = new OtherListeners({ say, now: () => time });
      present.add(listener);
      listener.connected();
      onTestFinished(() => listener.leave());
      return listener;
    },
  };
}

describe('a listener', () => {
  it('assumes that others listen until they had time to reply', () => {
    const { enter, pass } = room();
    const one = enter();
    expect(one.mayBeThere()).toBe(true);
    pass(999);
    expect(one.mayBeThere()).toBe(true);
    pass(1);
    expect(one.mayBeThere()).toBe(false);
  });

  it('hears of those who came before it and of those who come after it', () => {
    const { enter, pass } = room();
    const first = enter();
    pass(1_000);
    const second = enter();
    pass(1_000);
    expect(first.mayBeThere()).toBe(true);
    expect(second.mayBeThere()).toBe(true);
  });

  it('is alone again when the other says that it leaves', () => {
    const { enter, pass } = room();
    const first = enter();
    const second = enter();
    pass(1_000);
    second.leave();
    expect(first.mayBeThere()).toBe(false);
  });

  it('does not wait forever for one that left without a word', () => {
    const { enter, pass } = room();
    const first = enter();
    enter();
    pass(20_000);
    first.hear('p', first.id);
    expect(first.mayBeThere()).toBe(true);
    pass(20_000);
    expect(first.mayBeThere()).toBe(false);
  });

  it('assumes that others listen when it has not heard itself for long', () => {
    const { enter, pass } = room();
    const one = enter();
    pass(1_000);
    expect(one.mayBeThere()).toBe(false);
    pass(30_000);
    expect(one.mayBeThere()).toBe(true);
    one.hear('p', one.id);
    expect(one.mayBeThere()).toBe(false);
  });

  it('asks again when it may have missed something', () => {
    const { enter, pass, deaf } = room();
    const first = enter();
    pass(1_000);
    deaf.add(first);
    enter();
    expect(first.mayBeThere()).toBe(false);
    deaf.delete(first);
    first.connected();
    expect(first.mayBeThere()).toBe(true);
    pass(1_000);
    expect(first.mayBeThere()).toBe(true);
  });

  it('leaves wakes to others', () => {
    const { enter } = room();
    expect(enter().hear('e', 1)).toBe(false);
  });
});
