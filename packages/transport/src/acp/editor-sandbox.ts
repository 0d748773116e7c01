import { type AgentContext, type ClientCapabilities, methods } from '@agentclientprotocol/sdk';
import type { SandboxRunOptions, SandboxRunResult, ToolSandbox } from '@robota-sdk/agent-core';

export interface EditorSandboxParts {
  readonly client: AgentContext;
  readonly capabilities: ClientCapabilities;
  readonly sessionId: string;
  /** Environment variables for commands, in addition to the editor's. */
  readonly env: Readonly<Record<string, string>>;
  /** Called with the editor terminal that runs a command. */
  onTerminal(command: string, terminalId: string): void;
}

/**
 * Reads and writes text files through the editor, whose buffers may be newer than the files, and runs commands in its
 * terminals where it supports that. Binary files and commands nobody approved stay with the inner sandbox, because an
 * editor terminal does not confine anything.
 */
export function createEditorSandbox(inner: ToolSandbox, parts: EditorSandboxParts): ToolSandbox {
  const { fs, terminal } = parts.capabilities;
  return {
    ...inner,
    ...(terminal === true && {
      run: (command, options) =>
        isUnasked(options) ? inner.run(command, options) : runInTerminal(command, options, parts),
    }),
    ...(fs?.readTextFile === true && { readFile: (path) => readThrough(path, inner, parts) }),
    ...(fs?.writeTextFile === true && {
      writeFile: (path, content) => writeThrough({ path, content }, inner, parts),
    }),
  };
}

/** A command allowed only because it is confined to reading, which an editor terminal cannot enforce. */
function isUnasked(options: SandboxRunOptions): boolean {
  return 'unasked' in options && options.unasked !== undefined;
}

async function readThrough(
  path: string,
  inner: ToolSandbox,
  { client, sessionId }: EditorSandboxParts,
): Promise<Uint8Array> {
  // The file on disk shows whether it exists and is text; the editor has its current content.
  const bytes = await inner.readFile(path);
  if (bytes.includes(0) || bytes.length > LARGEST_BYTES) return bytes;
  const { content } = await client.request(methods.client.fs.readTextFile, { sessionId, path });
  return new TextEncoder().encode(content);
}

async function writeThrough(
  { path, content }: { readonly path: string; readonly content: Uint8Array | string },
  inner: ToolSandbox,
  { client, sessionId }: EditorSandboxParts,
): Promise<void> {
  const text = typeof content === 'string' ? content : textOf(content);
  if (text === undefined) return inner.writeFile(path, content);
  await client.request(methods.client.fs.writeTextFile, { sessionId, path, content: text });
}

function textOf(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

async function runInTerminal(
  command: string,
  options: SandboxRunOptions,
  { client, sessionId, env, onTerminal }: EditorSandboxParts,
): Promise<SandboxRunResult> {
  const { timeoutMs, workingDirectory, signal, outputLimitBytes } = options;
  signal.throwIfAborted();
  const terminal = await client.createTerminal({
    sessionId,
    command: '/bin/sh',
    args: ['-c', command],
    env: Object.entries(env).map(([name, value]) => ({ name, value })),
    outputByteLimit: outputLimitBytes,
    ...(workingDirectory !== undefined && { cwd: workingDirectory }),
  });
  onTerminal(command, terminal.id);
  const limit = AbortSignal.timeout(timeoutMs);
  const stopped = untilFired(AbortSignal.any([signal, limit]));
  try {
    const ended = await Promise.race([terminal.waitForExit(), stopped.fired]);
    if (ended === undefined) await terminal.kill();
    const { output, truncated, exitStatus } = await terminal.currentOutput();
    const { exitCode = null, signal: killedBy } = ended ?? exitStatus ?? {};
    return {
      stdout: truncated ? `[The editor kept the end of the output.]\n${output}` : output,
      stderr: '',
      exitCode,
      timedOut: ended === undefined && !signal.aborted,
      droppedBytes: 0,
      ...(killedBy && { signal: killedBy }),
    };
  } finally {
    stopped.forget();
    await terminal.release();
  }
}

function untilFired(signal: AbortSignal): { fired: Promise<undefined>; forget: () => void } {
  let forget = () => {};
  const fired = new Promise<undefined>((resolve) => {
    const fire = () => resolve(undefined);
    signal.addEventListener('abort', fire, { once: true });
    forget = () => signal.removeEventListener('abort', fire);
    if (signal.aborted) fire();
  });
  return { fired, forget };
}

/** Larger files are not read through the editor. */
const LARGEST_BYTES = 8 * 1024 * 1024;
