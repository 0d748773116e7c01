/** How long scrolling counts as user scrolling after wheel, touch, key or scroll bar input. */
const USER_SCROLL_MS = 250;
/** Pixels from the end that still count as the end. */
const END_GAP = 48;

export interface ScrollFacts {
  /** Pixels between the viewport and the end. */
  readonly gap: number;
  readonly top: number;
  readonly now: number;
}

/** Whether the view stays at the end while the conversation grows. Only user scrolling changes that, never growth. */
export class FollowEnd {
  #isFollowing: boolean;
  #userScrollUntil = 0;
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
    this.#userScrollUntil = now + USER_SCROLL_MS;
    if (direction === 'up') this.#isFollowing = false;
  }

  scrolled({ gap, top, now }: ScrollFacts): void {
    const moved = top - this.#top;
    this.#top = top;
    if (now > this.#userScrollUntil) return;
    const isUp = this.#direction === 'up' || (this.#direction === 'either' && moved < -1);
    if (isUp) this.#isFollowing = false;
    else if (gap < END_GAP && moved >= 0) this.#isFollowing = true;
  }

  /** "Latest" was pressed, or a prompt was sent. */
  toEnd(): void {
    this.#userScrollUntil = 0;
    this.#isFollowing = true;
  }

  /** The view jumped to a block. */
  leaveEnd(): void {
    this.#userScrollUntil = 0;
    this.#isFollowing = false;
  }
}

export function isAwayFromEnd(follow: FollowEnd, gap: number): boolean {
  return !follow.isFollowing && gap > END_GAP;
}
