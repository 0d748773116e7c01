import headless from '@xterm/headless';

const [CELL_WIDTH, CELL_HEIGHT, MARGIN] = [8.4, 19, 14];
const [BACKGROUND, FOREGROUND] = ['#14161a', '#d8dadf'];
/** The sixteen colours that terminals choose themselves. */
const NAMED = [
  ...['#000000', '#d1606b', '#7fb685', '#d9b26b', '#6f9fd8', '#b48ad0', '#6fbcc0', '#c8ccd4'],
  ...['#7b818c', '#e57f88', '#9bcca0', '#e8c98d', '#93bbe8', '#c9a8e0', '#93d3d6', '#ffffff'],
];

type Cell = NonNullable<
  ReturnType<
    NonNullable<
      ReturnType<InstanceType<typeof headless.Terminal>['buffer']['active']['getLine']>
    >['getCell']
  >
>;

/** What a terminal shows for this text and its escape codes, as a picture that needs no fonts of its own. */
export async function screenSvg(painted: string, columns: number): Promise<string> {
  const lines = painted.trimEnd().split('\n');
  const terminal = new headless.Terminal({
    cols: columns,
    rows: lines.length,
    allowProposedApi: true,
    convertEol: true,
  });
  await new Promise<void>((resolve) => terminal.write(lines.join('\n'), resolve));
  const [width, height] = [
    columns * CELL_WIDTH + 2 * MARGIN,
    lines.length * CELL_HEIGHT + 2 * MARGIN,
  ];
  const rows = lines.map((_, row) => drawRow(terminal, row, columns));
  terminal.dispose();
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="ui-monospace, Menlo, Consolas, monospace" font-size="14">`,
    `<rect width="100%" height="100%" rx="8" fill="${BACKGROUND}"/>`,
    ...rows.filter((row) => row !== ''),
    '</svg>\n',
  ].join('\n');
}

/** Neighbours of one look are one piece of text, drawn as wide as their cells whatever font there is. */
function drawRow(terminal: InstanceType<typeof headless.Terminal>, row: number, columns: number) {
  const line = terminal.buffer.active.getLine(row);
  const pieces: { text: string; at: number; cells: number; look: string; fill: string }[] = [];
  for (let at = 0; at < columns; at++) {
    const cell = line?.getCell(at);
    if (cell === undefined || cell.getWidth() === 0) continue;
    const [look, fill] = [lookOf(cell), backgroundOf(cell)];
    const last = pieces.at(-1);
    const text = cell.getChars() || ' ';
    if (last && last.look === look && last.fill === fill) {
      last.text += text;
      last.cells += cell.getWidth();
    } else pieces.push({ text, at, cells: cell.getWidth(), look, fill });
  }
  return pieces.map((piece) => drawPiece(piece, row)).join('');
}

function drawPiece(
  {
    text,
    at,
    cells,
    look,
    fill,
  }: { text: string; at: number; cells: number; look: string; fill: string },
  row: number,
): string {
  const [x, y] = [round(MARGIN + at * CELL_WIDTH), MARGIN + row * CELL_HEIGHT];
  const width = round(cells * CELL_WIDTH);
  const band =
    fill === ''
      ? ''
      : `<rect x="${x}" y="${y}" width="${width}" height="${CELL_HEIGHT}" fill="${fill}"/>`;
  if (text.trim() === '') return band;
  return `${band}<text x="${x}" y="${y + 14}" textLength="${width}" lengthAdjust="spacingAndGlyphs" xml:space="preserve" ${look}>${escaped(text)}</text>`;
}

function lookOf(cell: Cell): string {
  const color = cell.isInverse()
    ? BACKGROUND
    : colorOf(cell.isFgRGB(), cell.isFgPalette(), cell.getFgColor(), FOREGROUND);
  return [
    `fill="${color}"`,
    cell.isBold() ? 'font-weight="bold"' : '',
    cell.isItalic() ? 'font-style="italic"' : '',
    cell.isDim() ? 'opacity="0.65"' : '',
    cell.isUnderline() ? 'text-decoration="underline"' : '',
  ]
    .filter((part) => part !== '')
    .join(' ');
}

function backgroundOf(cell: Cell): string {
  if (cell.isInverse()) return FOREGROUND;
  return colorOf(cell.isBgRGB(), cell.isBgPalette(), cell.getBgColor(), '');
}

function colorOf(isRgb: boolean, isPalette: boolean, value: number, otherwise: string): string {
  if (isRgb) return `#${value.toString(16).padStart(6, '0')}`;
  if (isPalette) return NAMED[value] ?? otherwise;
  return otherwise;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
