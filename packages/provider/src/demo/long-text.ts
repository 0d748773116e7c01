const SENTENCES = [
  'This is a long reply, made of sentences that only exist to be streamed.',
  'Each word arrives on its own, the way a model would send it.',
  'You can interrupt it at any time, and what has arrived stays.',
  'Scroll while it runs, resize the window, or open it somewhere else.',
  'Nothing here was thought of by an AI; a loop wrote it.',
];

/** Twenty numbered paragraphs. */
export function longText(): string {
  const paragraphs = Array.from(
    { length: 20 },
    (_, index) => `Paragraph ${index + 1}. ${SENTENCES.join(' ')}`,
  );
  return paragraphs.join('\n\n');
}
