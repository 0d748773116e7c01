/** A seeded pseudo-random number generator (linear congruential). */
export class Dice {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** An integer below `limit`. */
  below(limit: number): number {
    this.#state = (Math.imul(this.#state, 1664525) + 1013904223) >>> 0;
    return Math.floor((this.#state / 2 ** 32) * limit);
  }

  pick<Item>(items: readonly Item[]): Item {
    // An index below the length is always there.
    return items[this.below(items.length)] as Item;
  }
}

/** Damages a text of lines as crashes, other versions or other writers could. */
export function damage(lines: readonly string[], dice: Dice): string[] {
  const damaged = [...lines];
  for (let count = 1 + dice.below(3); count > 0; count--) {
    const at = dice.below(damaged.length);
    const line = damaged[at] ?? '';
    switch (dice.below(9)) {
      case 0:
        damaged.splice(at, 1);
        break;
      case 1:
        damaged.splice(dice.below(damaged.length), 0, line);
        break;
      case 2:
        damaged[at] = line.slice(0, dice.below(line.length + 1));
        break;
      case 3:
        damaged[at] = `${'\0'.repeat(1 + dice.below(20))}${line}`;
        break;
      case 4:
        damaged[at] = line.replace(/"(parentUuid|parent_tool_use_id)":("[^"]*"|null)/, (_, key) => {
          const other = /"uuid":"([^"]*)"/.exec(dice.pick(lines))?.[1] ?? 'nobody';
          return `"${String(key)}":"${other}"`;
        });
        break;
      default:
        damaged[at] = JSON.stringify(damageValue(parsed(line), dice));
    }
    if (damaged.length === 0) damaged.push('');
  }
  return damaged;
}

/** Replaces one part of the value, at any depth, by something unexpected. */
export function damageValue(value: unknown, dice: Dice): unknown {
  if (typeof value !== 'object' || value === null || dice.below(4) === 0)
    return dice.pick(ODD_VALUES);
  const entries = Object.entries(value);
  if (entries.length === 0) return dice.pick(ODD_VALUES);
  const [key, part] = dice.pick(entries);
  const changed = dice.below(6) === 0 ? undefined : damageValue(part, dice);
  if (Array.isArray(value))
    return value.map((item, index) => (String(index) === key ? changed : item));
  return { ...value, [key]: changed };
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return line;
  }
}

const ODD_VALUES: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  1e308,
  '',
  'user',
  'assistant',
  'tool_use',
  'Agent',
  'text',
  '__proto__',
  'constructor',
  '<task-notification><task-id>x</task-id></task-notification>',
  '\ud800',
  [],
  [null],
  [[]],
  {},
  { type: 'text' },
  { type: 'tool_result', tool_use_id: 'x' },
  [{ type: 'tool_use', id: 'x', name: 'Task', input: null }],
];
