import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { InputDecoder, type InputEvent } from '../../../src/terminal/keys/input-decoder.ts';

const ESC = '\u001b';
const DRAWN = `${ESC}[0n`;
const WHITE = `${ESC}]11;rgb:ffff/ffff/ffff\u0007`;
const at = 1_000;

/** A key by its name, text in quotes, a paste in angle brackets, a reply by its kind. */
function shown(event: InputEvent): string {
  if (event.kind === 'reply') return `reply ${event.reply.kind}`;
  const { press } = event;
  if (press.kind === 'key') return press.name;
  return press.kind === 'text' ? `"${press.text}"` : `<${press.text}>`;
}

/** What is read of bytes that arrive in these chunks, after which nothing follows. */
function read(...chunks: readonly (string | Buffer)[]): string[] {
  const decoder = new InputDecoder();
  const events = chunks.flatMap((chunk) => decoder.take(Buffer.from(chunk as string), at));
  return [...events, ...decoder.release()].map(shown);
}

describe('keys', () => {
  it.each([
    ['\r', 'return'],
    ['\n', 'enter'],
    ['\t', 'tab'],
    ['\u007f', 'backspace'],
    ['\b', 'backspace'],
    ['\u0003', 'ctrl+c'],
    ['\u001a', 'ctrl+z'],
    [ESC, 'escape'],
    [`${ESC}[A`, 'up'],
    [`${ESC}OA`, 'up'],
    [`${ESC}[Z`, 'shift+tab'],
    [`${ESC}[H`, 'home'],
    [`${ESC}[1~`, 'home'],
    [`${ESC}[4~`, 'end'],
    [`${ESC}[3~`, 'delete'],
    [`${ESC}[5~`, 'pageup'],
    [`${ESC}[1;5D`, 'ctrl+left'],
    [`${ESC}[1;3C`, 'meta+right'],
    [`${ESC}[1;7D`, 'ctrl+meta+left'],
    [`${ESC}[7$`, 'shift+home'],
    [`${ESC}[8^`, 'ctrl+end'],
    [`${ESC}[d`, 'shift+left'],
    [`${ESC}Od`, 'ctrl+left'],
    [`${ESC}OM`, 'return'],
    [`${ESC}Op`, '"0"'],
    [`${ESC}b`, 'meta+b'],
    [`${ESC}\r`, 'meta+return'],
    [`${ESC}\u007f`, 'meta+backspace'],
    [`${ESC}${ESC}[C`, 'meta+right'],
  ])('reads %j as %s', (bytes, name) => {
    expect(read(bytes)).toEqual([name]);
  });

  it.each([
    ['kitty: shift and enter', `${ESC}[13;2u`, 'shift+return'],
    ['kitty: ctrl and c', `${ESC}[99;5u`, 'ctrl+c'],
    ['kitty: ctrl and j', `${ESC}[106;5u`, 'enter'],
    ['kitty: escape', `${ESC}[27u`, 'escape'],
    ['kitty: alt and b', `${ESC}[98;3u`, 'meta+b'],
    ['kitty: num lock is no modifier', `${ESC}[27;129u`, 'escape'],
    ['kitty: shifted letter', `${ESC}[97:65;2u`, '"A"'],
    ['kitty: text of the key', `${ESC}[97;1;228u`, '"ä"'],
    ['kitty: keypad', `${ESC}[57401u`, '"2"'],
    ['kitty: keypad enter', `${ESC}[57414u`, 'return'],
    ['xterm: shift and enter', `${ESC}[27;2;13~`, 'shift+return'],
    ['xterm: ctrl and o', `${ESC}[27;5;111~`, 'ctrl+o'],
    ['xterm: shift and a letter', `${ESC}[27;2;65~`, '"A"'],
  ])('reads modified keys of %s', (_, bytes, name) => {
    expect(read(bytes)).toEqual([name]);
  });

  it('reads text of every script by character, and many characters at once as one text', () => {
    expect(read('añ한👍')).toEqual(['"a"', '"ñ"', '"한"', '"👍"']);
    expect(read('x'.repeat(500))).toEqual([`"${'x'.repeat(500)}"`]);
  });

  it('takes Escape and a control key for two keys, also when they arrive together', () => {
    expect(read(`${ESC}\u0004`)).toEqual(['escape', 'ctrl+d']);
    expect(read(`${ESC}${ESC}`)).toEqual(['escape', 'escape']);
    expect(read(ESC, `${ESC}[A`)).toEqual(['meta+up']);
  });

  it('reads a character whose bytes arrive apart', () => {
    const bytes = Buffer.from('한');

    expect(read(bytes.subarray(0, 1), bytes.subarray(1))).toEqual(['"한"']);
  });
});

describe('what nobody typed', () => {
  it.each([
    ['device attributes', `${ESC}[?64;1;2;6;22c`],
    ['secondary attributes', `${ESC}[>41;390;0c`],
    ['a cursor position', `${ESC}[12;40R`],
    ['focus in and out', `${ESC}[I${ESC}[O`],
    ['a mouse report', `${ESC}[<35;10;5M${ESC}[<0;10;5m`],
    ['an old mouse report', `${ESC}[M !!`],
    ['a mode report', `${ESC}[?2026;2$y`],
    ['a window report', `${ESC}[8;24;80t`],
    ['the keyboard flags', `${ESC}[?1u`],
    ['the version of the terminal', `${ESC}P>|XTerm(390)${ESC}\\`],
    ['a termcap reply', `${ESC}P1+r544e=787465726d${ESC}\\`],
    ['the foreground colour', `${ESC}]10;rgb:0000/0000/0000${ESC}\\`],
    ['a palette colour', `${ESC}]4;1;rgb:ff/00/00\u0007`],
    ['a graphics reply', `${ESC}_Gi=1;OK${ESC}\\`],
    ['a key that is let go', `${ESC}[97;1:3u${ESC}[1;1:3A`],
    ['a key of the window system', `${ESC}[99;9u`],
    ['a modifier by itself', `${ESC}[57441;2u`],
    ['the end of a paste that never began', `${ESC}[201~`],
    ['bytes that are no key', '\u0000\u001c\u009b'],
  ])('drops %s, wherever it is cut in two', (_, report) => {
    for (let cut = 0; cut <= report.length; cut++) {
      const whole = `a${report}b`;

      expect(read(whole.slice(0, cut + 1), whole.slice(cut + 1))).toEqual(['"a"', '"b"']);
    }
  });

  it('goes on with what is typed after a report that breaks off', () => {
    expect(read(`${ESC}]11;rgb:\rx`)).toEqual(['return', '"x"']);
    expect(read(`${ESC}[12;한`)).toEqual(['"한"']);
    expect(read(`${ESC}]11;rgb`)).toEqual([]);
  });

  it('waits for the rest of a report no longer however much is typed meanwhile', () => {
    const decoder = new InputDecoder();
    decoder.take(Buffer.from(`${ESC}]11;rgb`), 0);
    const first = decoder.releaseAt;

    decoder.take(Buffer.from('typed'), 900);

    expect(first).toBe(1_000);
    expect(decoder.releaseAt).toBe(first);
  });

  it('waits less long for what may be a key', () => {
    const decoder = new InputDecoder();

    decoder.take(Buffer.from(ESC), 500);

    expect(decoder.releaseAt).toBe(580);
    expect(decoder.release().map(shown)).toEqual(['escape']);
    expect(decoder.releaseAt).toBeUndefined();
  });
});

describe('replies', () => {
  it('are told from keys, in their order', () => {
    expect(read(`1\r${DRAWN}2${WHITE}한`)).toEqual([
      '"1"',
      'return',
      'reply drawn',
      '"2"',
      'reply background',
      '"한"',
    ]);
  });

  it('give the colour in both lengths, with both endings', () => {
    const [event] = new InputDecoder().take(Buffer.from(`${ESC}]11;rgb:00/80/ff${ESC}\\`), at);

    expect(event).toEqual({
      kind: 'reply',
      reply: { kind: 'background', red: 0, green: 128 / 255, blue: 1 },
    });
  });

  it('are found wherever they are cut', () => {
    const text = `ab${WHITE}cd${DRAWN}ef`;
    const whole = read(text);
    fc.assert(
      fc.property(fc.nat({ max: text.length }), fc.nat({ max: text.length }), (one, two) => {
        const [from, to] = [Math.min(one, two), Math.max(one, two)];

        expect(read(text.slice(0, from), text.slice(from, to), text.slice(to))).toEqual(whole);
      }),
    );
  });
});

describe('an Escape directly before', () => {
  it.each([
    ['a reply', `${ESC}${DRAWN}`, ['escape', 'reply drawn']],
    ['a reply that arrives in two parts', [`${ESC}${ESC}[`, '0n'], ['escape', 'reply drawn']],
    ['a report', `${ESC}${ESC}[<35;10;5M`, ['escape']],
    ['a paste', `${ESC}${ESC}[200~x${ESC}[201~`, ['escape', '<x>']],
    ['an arrow', `${ESC}${ESC}[A`, ['meta+up']],
  ])('%s is not lost', (_, bytes, keys) => {
    expect(read(...[bytes].flat())).toEqual(keys);
  });
});

describe('lines that arrive at once without the marks of a paste', () => {
  const LONG = 'a line that nobody types in a moment';

  it.each([
    ['two lines', `one\r${LONG}`, `<one\n${LONG}>`],
    ['four lines with their ends', `${LONG}\r`.repeat(4), `<${`${LONG}\n`.repeat(4)}>`],
    ['other line ends', `one\r\ntwo\n${LONG}`, `<one\ntwo\n${LONG}>`],
    ['lines with tabs', `one:\r\treturn 1\r${LONG}`, `<one:\n\treturn 1\n${LONG}>`],
    ['many short lines', 'ab\r'.repeat(20), `<${'ab\n'.repeat(20)}>`],
  ])('are a paste: %s', (_, bytes, pasted) => {
    expect(read(bytes)).toEqual([pasted]);
  });

  it.each([
    ['one line and its end', `${LONG}\r`, [`"${LONG}"`, 'return']],
    ['a long line and more behind it', `${LONG}\ry`, [`"${LONG}"`, 'return', '"y"']],
    ['a short line and more behind it', 'ls\ry', ['"l"', '"s"', 'return', '"y"']],
    ['whole prompts', `one\r${LONG}\r`, ['"o"', '"n"', '"e"', 'return', `"${LONG}"`, 'return']],
    ['two short lines', 'a\rb\r', ['"a"', 'return', '"b"', 'return']],
    ['a key that is held', '\r\r\r\r', ['return', 'return', 'return', 'return']],
    ['answers', '1\r\r2', ['"1"', 'return', 'return', '"2"']],
    [
      'keys that are no text',
      `one\rtwo${ESC}[A\rx`,
      ['"o"', '"n"', '"e"', 'return', '"t"', '"w"', '"o"', 'up', 'return', '"x"'],
    ],
  ])('are keys when somebody may have typed them: %s', (_, bytes, keys) => {
    expect(read(bytes)).toEqual(keys);
  });

  it('go on in what follows at once, and end before what a person types next', () => {
    const decoder = new InputDecoder();
    const take = (text: string, time: number) =>
      decoder.take(Buffer.from(text), time).map(shown).join('');

    expect(take(`one\r${LONG}`, 1_000)).toBe(`<one\n${LONG}>`);
    expect(take('four\r', 1_150)).toBe('<four\n>');
    expect(take('five\r', 1_300)).toBe('<five\n>');
    expect(take('\r', 1_310)).toBe('return');
    expect(take('six\r', 1_311)).toBe('"s""i""x"return');
  });

  it('can be broken off by any other key', () => {
    const decoder = new InputDecoder();
    const take = (text: string) => decoder.take(Buffer.from(text), 1_000).map(shown);
    take(`one\r${LONG}`);

    expect(take('\u0003')).toEqual(['ctrl+c']);
    expect(take('\r')).toEqual(['return']);
  });

  it('are keys in a terminal that marks its pastes', () => {
    expect(read(`${ESC}[200~x${ESC}[201~`, `y\r${LONG}`)).toEqual([
      '<x>',
      '"y"',
      'return',
      `"${LONG}"`,
    ]);
  });
});

describe('a paste', () => {
  const paste = (text: string) => `${ESC}[200~${text}${ESC}[201~`;

  it('is one press with plain line ends and without control sequences', () => {
    expect(read(paste('one\rtwo\r\nthree\n\tfour'))).toEqual(['<one\ntwo\nthree\n\tfour>']);
    expect(read(paste(`a${ESC}[31mred${ESC}[0m\u0007\u0000b`))).toEqual(['<aredb>']);
    expect(read(paste(''))).toEqual([]);
  });

  it('holds no keys and no replies', () => {
    expect(read(paste(`y\r${DRAWN}${ESC}[A\u0003`))).toEqual(['<y\n>']);
  });

  it('is whole wherever it is cut', () => {
    const text = `a${paste('한 text\rof it')}b`;
    const bytes = Buffer.from(text);
    for (let cut = 0; cut <= bytes.length; cut++) {
      expect(read(bytes.subarray(0, cut), bytes.subarray(cut))).toEqual([
        '"a"',
        '<한 text\nof it>',
        '"b"',
      ]);
    }
  });

  it('of which the end is lost ends with ctrl+c', () => {
    expect(read(`${ESC}[200~lost`, 'more', '\u0003', 'x')).toEqual(['<lostmore>', '"x"']);
  });

  it('of many lines costs no more than its length', () => {
    const text = 'a line of a long text\r'.repeat(50_000);
    const bytes = Buffer.from(paste(text));
    const chunks = Array.from({ length: Math.ceil(bytes.length / 1024) }, (_, index) =>
      bytes.subarray(index * 1024, (index + 1) * 1024),
    );

    const [pasted = ''] = read(...chunks);

    expect(pasted.length).toBe(text.length + 2);
  });
});

it('never throws and never keeps what a person types, whatever comes before it', () => {
  const piece = fc.oneof(
    fc.constantFrom(ESC, '[', ']', 'O', 'P', '\u0007', '\\', '0', ';', '~', 'n', '\r', 'M', '<'),
    fc.string({ maxLength: 4 }),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      const decoder = new InputDecoder();
      for (const text of pieces) decoder.take(Buffer.from(text), at);
      decoder.release();
      // A paste that was begun ends with ctrl+c, and so does whatever is left of it.
      decoder.take(Buffer.from('\u0003'), at);
      decoder.release();

      expect(decoder.take(Buffer.from('q'), at).map(shown)).toEqual(['"q"']);
    }),
    { numRuns: 2_000 },
  );
});
