import { describe, expect, it } from 'vitest';
import { FollowEnd, isAwayFromEnd } from '../../src/conversation/follow-end.ts';

describe('following the end', () => {
  it('continues while content grows', () => {
    const follow = new FollowEnd(true);

    follow.scrolled({ gap: 900, top: 100, now: 1000 });

    expect(follow.isFollowing).toBe(true);
  });

  it('stops when the user scrolls up', () => {
    const follow = new FollowEnd(true);

    follow.hand('up', 1000);
    follow.scrolled({ gap: 300, top: 50, now: 1100 });

    expect(follow.isFollowing).toBe(false);
    expect(isAwayFromEnd(follow, 300)).toBe(true);
    expect(isAwayFromEnd(follow, 10)).toBe(false);
  });

  it('resumes when the user scrolls to the end, not when growth reaches it', () => {
    const follow = new FollowEnd(false);
    follow.scrolled({ gap: 10, top: 500, now: 1000 });
    expect(follow.isFollowing).toBe(false);

    follow.hand('down', 2000);
    follow.scrolled({ gap: 10, top: 600, now: 2100 });

    expect(follow.isFollowing).toBe(true);
  });

  it('ignores user input after a quarter of a second', () => {
    const follow = new FollowEnd(true);
    follow.hand('either', 1000);

    follow.scrolled({ gap: 500, top: -50, now: 1300 });

    expect(follow.isFollowing).toBe(true);
  });

  it('follows explicit jumps to the end and away', () => {
    const follow = new FollowEnd(true);
    follow.leaveEnd();
    expect(follow.isFollowing).toBe(false);

    follow.hand('up', 1000);
    follow.toEnd();
    follow.scrolled({ gap: 500, top: 0, now: 1001 });

    expect(follow.isFollowing).toBe(true);
  });
});
