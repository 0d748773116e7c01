/**
 * The value with halves of surrogate pairs replaced in all its texts and names; the value itself if there are none. Programs
 * written in other languages refuse a line with such a half, and the APIs of the vendors a message.
 */
export function withValidText<Value>(value: Value): Value {
  // Texts stay texts, lists lists and objects objects with other texts only.
  return validOf(value) as Value;
}

function validOf(value: unknown): unknown {
  if (typeof value === 'string') return validText(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const items = value.map(validOf);
    return items.some((item, index) => item !== value[index]) ? items : value;
  }
  const entries = Object.entries(value);
  const valid = entries.map(([name, field]) => [validText(name), validOf(field)] as const);
  const isSame = valid.every(
    ([name, field], index) => name === entries[index]?.[0] && field === entries[index]?.[1],
  );
  return isSame ? value : Object.fromEntries(valid);
}

function validText(text: string): string {
  return HALF_PAIR.test(text) ? text.replace(HALF_PAIRS, '\ufffd') : text;
}

const HALF_PAIR = /\p{Surrogate}/u;
const HALF_PAIRS = /\p{Surrogate}/gu;
