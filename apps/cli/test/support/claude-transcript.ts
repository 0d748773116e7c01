import { appendFileSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** A transcript as Claude Code writes it, a line for each thing said. */
export class ClaudeTranscript {
  readonly id: string;
  readonly path: string;
  readonly #cwd: string;
  #last: string | null = null;
  #count = 0;

  /** In a directory that need not be there. */
  constructor(home: string, id: string, cwd = '/home/ada/atlas') {
    this.#cwd = cwd;
    this.id = id;
    this.path = join(home, '.claude/projects/-home-ada-atlas', `${id}.jsonl`);
    mkdirSync(dirname(this.path), { recursive: true });
  }

  prompt(content: string): this {
    return this.#write([{ type: 'user', message: { role: 'user', content } }]);
  }

  answer(text: string): this {
    return this.#write([answerOf(text, this.#count)]);
  }

  /** Many answers in one go. */
  answers(texts: readonly string[]): this {
    return this.#write(texts.map((text, index) => answerOf(text, this.#count + index)));
  }

  #write(entries: readonly object[]): this {
    const lines = entries.map((entry) => {
      this.#count += 1;
      const uuid = `00000000-0000-4000-8000-${String(this.#count).padStart(12, '0')}`;
      const line = {
        parentUuid: this.#last,
        isSidechain: false,
        userType: 'external',
        cwd: this.#cwd,
        sessionId: this.id,
        version: '2.1.325',
        gitBranch: 'main',
        ...entry,
        uuid,
        timestamp: new Date(Date.now() - 1000).toISOString(),
      };
      this.#last = uuid;
      return JSON.stringify(line);
    });
    appendFileSync(this.path, `${lines.join('\n')}\n`);
    return this;
  }
}

function answerOf(text: string, number: number): object {
  return {
    type: 'assistant',
    requestId: `req_${number}`,
    message: {
      id: `msg_${number}`,
      type: 'message',
      role: 'assistant',
      model: 'claude-sonnet-4-5-20250929',
      content: [{ type: 'text', text }],
      stop_reason: 'end_turn',
      usage: { input_tokens: 100, output_tokens: 20 },
    },
  };
}
