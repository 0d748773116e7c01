/** How long a movement counts as made by a hand after wheel, touch, key or scroll bar. */
const HAND_MS = 250;
/** Closer to the end than this counts as being there. */
const END_GAP = 48;

export interface ScrollFacts {
  /** Pixels between what is shown last and the end. */
  readonly gap: number;
  readonly top: number;
  readonly now: number;
}

/** Whether the view stays at the end while the conversation grows. Only a hand changes that; growth never does. */
export class FollowEnd {
  #isFollowing: boolean;
  #handUntil = 0;
  #direction: 'up' | 'down' | 'either' = 'either';
  #top = 0;

  constructor(isFollowing: boolean) {
    this.#isFollowing = isFollowing;
  }

  get isFollowing(): boolean {
    return this.#isFollowing;
  }

  hand(direction: 'up' | 'down' | 'either', now: number): void {
    this.#direction = direction;
    this.#handUntil = now + HAND_MS;
    if (direction === 'up') this.#isFollowing = false;
  }

  scrolled({ gap, top, now }: ScrollFacts): void {
    const moved = top - this.#top;
    this.#top = top;
    if (now > this.#handUntil) return;
    const isUp = this.#direction === 'up' || (this.#direction === 'either' && moved < -1);
    if (isUp) this.#isFollowing = false;
    else if (gap < END_GAP && moved >= 0) this.#isFollowing = true;
  }

  /** "Latest" was pressed, or a prompt was sent. */
  toEnd(): void {
    this.#handUntil = 0;
    this.#isFollowing = true;
  }

  /** A place was jumped to. */
  leaveEnd(): void {
    this.#handUntil = 0;
    this.#isFollowing = false;
  }
}

export function isAwayFromEnd(follow: FollowEnd, gap: number): boolean {
  return !follow.isFollowing && gap > END_GAP;
}
