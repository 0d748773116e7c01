/** Remembers the most recently used answers of a pure function, at most `limit` of them. */
export function remember<Answer>(
  limit: number,
  compute: (key: string) => Answer,
): (key: string) => Answer {
  const answers = new Map<string, Answer>();
  return (key) => {
    const known = answers.get(key);
    if (known !== undefined) {
      if (answers.size > limit / 2) refresh(answers, key, known);
      return known;
    }
    const answer = compute(key);
    answers.set(key, answer);
    if (answers.size > limit) dropOldest(answers);
    return answer;
  };
}

function refresh<Answer>(answers: Map<string, Answer>, key: string, answer: Answer): void {
  answers.delete(key);
  answers.set(key, answer);
}

function dropOldest(answers: Map<string, unknown>): void {
  for (const oldest of answers.keys()) {
    answers.delete(oldest);
    return;
  }
}
