/** The data of each server-sent event; comments and names are ignored. */
export async function* readServerEvents(
  stream: ReadableStream<Uint8Array>,
): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  const reader = stream.getReader();
  let buffer = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      buffer += decoder.decode(value, { stream: true });
      const events = buffer.replaceAll('\r\n', '\n').split('\n\n');
      buffer = events.pop() ?? '';
      for (const event of events) {
        const data = dataOf(event);
        if (data !== '') yield data;
      }
    }
  } finally {
    reader.releaseLock();
  }
}

function dataOf(event: string): string {
  return event
    .split('\n')
    .flatMap((line) => (line.startsWith('data:') ? [line.slice(5).trimStart()] : []))
    .join('\n');
}
