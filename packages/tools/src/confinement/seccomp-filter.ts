import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** System call numbers by processor; x32 calls share the processor's number and are refused by their bit. */
const PROCESSORS: Readonly<Record<string, { readonly arch: number; readonly socket: number }>> = {
  x64: { arch: 0xc000_003e, socket: 41 },
  arm64: { arch: 0xc000_00b7, socket: 198 },
};
const IO_URING_SETUP = 425;
const X32_BIT = 0x4000_0000;
const AF_UNIX = 1;

const LOAD = 0x20;
const JUMP_EQUAL = 0x15;
const JUMP_AT_LEAST = 0x35;
const RETURN = 0x06;
const ALLOW = 0x7fff_0000;
/** The call fails with EPERM. */
const REFUSE = 0x0005_0001;

/** Offsets in the filter's input: the call's number, the processor, the first argument. */
const NUMBER = 0;
const ARCH = 4;
const FIRST_ARGUMENT = 16;

/** One instruction: code, steps to skip when true, when false, and its value. */
type Instruction = readonly [code: number, whenTrue: number, whenFalse: number, value: number];

/** A filter that refuses Unix sockets, which a network namespace does not block, and ways around it. */
export function seccompFilter(processor: string = process.arch): Buffer | undefined {
  const numbers = PROCESSORS[processor];
  if (numbers === undefined) return undefined;
  const program: readonly Instruction[] = [
    [LOAD, 0, 0, ARCH],
    [JUMP_EQUAL, 1, 0, numbers.arch],
    [RETURN, 0, 0, REFUSE],
    [LOAD, 0, 0, NUMBER],
    [JUMP_AT_LEAST, 0, 1, X32_BIT],
    [RETURN, 0, 0, REFUSE],
    [JUMP_EQUAL, 0, 1, IO_URING_SETUP],
    [RETURN, 0, 0, REFUSE],
    [JUMP_EQUAL, 1, 0, numbers.socket],
    [RETURN, 0, 0, ALLOW],
    [LOAD, 0, 0, FIRST_ARGUMENT],
    [JUMP_EQUAL, 0, 1, AF_UNIX],
    [RETURN, 0, 0, REFUSE],
    [RETURN, 0, 0, ALLOW],
  ];
  const bytes = Buffer.alloc(program.length * 8);
  for (const [index, [code, whenTrue, whenFalse, value]] of program.entries()) {
    bytes.writeUInt16LE(code, index * 8);
    bytes.writeUInt8(whenTrue, index * 8 + 2);
    bytes.writeUInt8(whenFalse, index * 8 + 3);
    bytes.writeUInt32LE(value >>> 0, index * 8 + 4);
  }
  return bytes;
}

let kept: number | undefined;

/** A new descriptor of the filter, for one process to read; undefined on unsupported processors. */
export function openSeccompFilter(): number | undefined {
  const filter = seccompFilter();
  if (filter === undefined) return undefined;
  kept ??= keepFile(filter);
  // Each reader needs its own position.
  return openSync(`/proc/self/fd/${kept}`, 'r');
}

/** An unlinked file, open until this process exits. */
function keepFile(content: Buffer): number {
  const folder = mkdtempSync(join(tmpdir(), 'robota-seccomp-'));
  try {
    const path = join(folder, 'filter');
    writeFileSync(path, content);
    return openSync(path, 'r');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export function closeSeccompFilter(descriptor: number | undefined): void {
  if (descriptor !== undefined) closeSync(descriptor);
}
