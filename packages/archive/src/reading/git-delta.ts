/** Applies a delta of a git pack; throws if it does not fit the base or yields more than `maxBytes`. */
export function applyDelta(base: Buffer, delta: Buffer, maxBytes: number): Buffer {
  const from = readSize(delta, 0);
  const to = readSize(delta, from.next);
  if (from.size !== base.length || to.size > maxBytes) throw new RangeError('A delta does not fit');
  const parts: Buffer[] = [];
  let length = 0;
  for (let at = to.next; at < delta.length; ) {
    const code = delta[at] ?? 0;
    at += 1;
    if (code === 0) throw new RangeError('A delta has an unknown instruction');
    const { part, next } =
      code < 0x80
        ? { part: delta.subarray(at, at + code), next: at + code }
        : copied(base, delta, { code, at });
    length += part.length;
    if (length > maxBytes) throw new RangeError('A delta gives too much');
    parts.push(part);
    at = next;
  }
  return Buffer.concat(parts);
}

/** A range of the base; the code's bits tell which bytes of its offset and length follow, the others are zero. */
function copied(base: Buffer, delta: Buffer, { code, at }: { code: number; at: number }) {
  let next = at;
  const numberOf = (bits: readonly number[]) =>
    bits.reduce((value, bit, index) => {
      if ((code & bit) === 0) return value;
      next += 1;
      return value + (delta[next - 1] ?? 0) * 256 ** index;
    }, 0);
  const offset = numberOf([0x01, 0x02, 0x04, 0x08]);
  const length = numberOf([0x10, 0x20, 0x40]) || 0x10000;
  return { part: base.subarray(offset, offset + length), next };
}

function readSize(bytes: Buffer, start: number): { readonly size: number; readonly next: number } {
  let size = 0;
  let next = start;
  for (let unit = 1; ; unit *= 128) {
    const byte = bytes[next] ?? 0;
    size += (byte & 0x7f) * unit;
    next += 1;
    if (byte < 0x80) return { size, next };
  }
}
