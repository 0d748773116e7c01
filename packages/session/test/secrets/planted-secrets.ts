import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createAssistantMessage, type Message, type Provider } from '@robota-sdk/agent-core';
import {
  createFill,
  leaks,
  type PlantedSecret,
  plant,
  SECRET_KINDS,
} from '../../../core/test/log/redact/secret-kinds.ts';

export { leaks, type PlantedSecret };

/** One secret of every kind; another seed gives others. */
export function plantAll(seed: number): ReadonlyMap<string, PlantedSecret> {
  return new Map(
    Object.entries(SECRET_KINDS).map(([kind, shape], index) => [
      kind,
      plant(shape, createFill((seed + index) * 7919)),
    ]),
  );
}

/** A text in pieces of one to `most` characters, the same for the same seed. */
export function inPieces(text: string, seed: number, most = 9): string[] {
  const fill = createFill(seed);
  const pieces: string[] = [];
  for (let at = 0; at < text.length; ) {
    const size = 1 + (fill(1).charCodeAt(0) % most);
    pieces.push(text.slice(at, at + size));
    at += size;
  }
  return pieces;
}

/** Everything below a directory that is no vault, with names of files. */
export function textOutsideVaults(directory: string): string {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.vault'))
    .map((entry) => `${entry.name}\n${readFileSync(join(entry.parentPath, entry.name), 'utf8')}`)
    .join('\n');
}

/** What a directory shows of secrets outside of vaults. */
export function leaksIn(directory: string, secrets: Iterable<PlantedSecret>): string[] {
  const parts = [...secrets].flatMap((secret) => secret.parts);
  return [...leaks(textOutsideVaults(directory), parts)];
}

export interface StreamedReply {
  readonly text: string;
  readonly thinking?: string;
  readonly seed?: number;
  readonly toolCalls?: readonly {
    readonly id: string;
    readonly name: string;
    readonly args: object;
  }[];
  readonly metadata?: Readonly<Record<string, string>>;
  readonly error?: Error;
}

/** A model that streams as vendors do: a raw payload, then the piece it brought. */
export function streamingProvider(
  ...replies: readonly StreamedReply[]
): Provider & { readonly requests: string[] } {
  const requests: string[] = [];
  return {
    name: 'streaming',
    version: '1',
    requests,
    async chat(messages, options = {}) {
      const reply = replies[requests.length] ?? { text: 'Done.' };
      requests.push(JSON.stringify(messages));
      const { text, thinking = '', seed = requests.length, toolCalls = [], error } = reply;
      let sequence = 0;
      const raw = (delta: object) =>
        options.onProviderNativeRawPayload?.({
          provider: 'streaming',
          apiSurface: 'chat',
          payloadKind: 'stream_event',
          sequence: sequence++,
          payload: { id: 'chunk', choices: [{ index: 0, delta }] },
        });
      for (const piece of inPieces(thinking, seed)) {
        raw({ reasoning_content: piece });
        options.onThinkingDelta?.(piece);
        await Promise.resolve();
      }
      for (const piece of inPieces(text, seed)) {
        raw({ content: piece });
        options.onTextDelta?.(piece);
        await Promise.resolve();
      }
      for (const { args } of toolCalls) {
        for (const piece of inPieces(JSON.stringify(args), seed)) {
          raw({ tool_calls: [{ index: 0, function: { arguments: piece } }] });
        }
      }
      if (error) throw error;
      return message(reply);
    },
  };
}

function message({ text, thinking, toolCalls, metadata }: StreamedReply): Message {
  const parts = [
    ...(thinking ? [{ type: 'thinking' as const, text: thinking }] : []),
    { type: 'text' as const, text },
  ];
  return createAssistantMessage(text, {
    ...(thinking && { parts }),
    ...(metadata && { metadata }),
    ...(toolCalls && {
      toolCalls: toolCalls.map(({ id, name, args }) => ({
        id,
        type: 'function' as const,
        function: { name, arguments: JSON.stringify(args) },
      })),
    }),
  });
}
