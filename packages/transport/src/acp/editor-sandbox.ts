import { type AgentContext, type ClientCapabilities, methods } from '@agentclientprotocol/sdk';
import type { SandboxRunOptions, SandboxRunResult, ToolSandbox } from '@robota-sdk/agent-core';

export interface EditorSandboxParts {
  readonly client: AgentContext;
  readonly capabilities: ClientCapabilities;
  readonly sessionId: string;
  /** Variables that commands see besides those of the editor. */
  readonly env: Readonly<Record<string, string>>;
  /** Told in which terminal of the editor a command runs. */
  onTerminal(command: string, terminalId: string): void;
}

/**
 * Reads and writes texts through the editor, whose buffers are newer than the files, and runs commands in its
 * terminals, where it offers that. What is no text, and what nobody approved, stays with the sandbox inside: a
 * terminal of the editor holds nothing back.
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

/** Runs only because it is held to reading, which a terminal would not do. */
function isUnasked(options: SandboxRunOptions): boolean {
  return 'unasked' in options && options.unasked !== undefined;
}

async function readThrough(
  path: string,
  inner: ToolSandbox,
  { client, sessionId }: EditorSandboxParts,
): Promise<Uint8Array> {
  // The file says whether it is one, and a text; the editor what stands in it now.
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

/** A text that an editor would not hold open. */
const LARGEST_BYTES = 8 * 1024 * 1024;
