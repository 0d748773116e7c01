import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import type { ToolSandbox } from '@robota-sdk/agent-core';
import { NotAFileError } from './files/not-a-file-error.ts';
import { writeAtomic } from './files/write-atomic.ts';
import { runCommand } from './process/run-command.ts';

export interface LocalSandboxOptions {
  /** Variables that commands see besides those of this process. */
  readonly env?: Readonly<Record<string, string>>;
}

/** This machine, with the rights of this process; it confines nothing. */
export function createLocalSandbox({ env }: LocalSandboxOptions = {}): ToolSandbox {
  return {
    run: (command, options) => runCommand(command, { ...options, ...(env ? { env } : {}) }),
    readFile: readRegularFile,
    writeFile: writeAtomic,
  };
}

async function readRegularFile(path: string): Promise<Uint8Array> {
  // Without O_NONBLOCK opening a pipe nobody writes to would never return.
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const status = await file.stat();
    if (!status.isFile()) throw new NotAFileError(path);
    return await file.readFile();
  } finally {
    await file.close();
  }
}
