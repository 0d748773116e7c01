import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { markdownTable } from './markdown-table.ts';

const HELP = join(import.meta.dirname, '../../apps/cli/bin/help.txt');

/** The options of `robota` itself, as its help lists them. */
export function optionsTable(): string {
  const help = readFileSync(HELP, 'utf8');
  const [, options = ''] = /\nOptions\n([\s\S]*?)\n\n/.exec(help) ?? [];
  const rows = options.split('\n').map((line) => {
    const [, flags, text] = /^ {2,6}(-\S.*?) {2,}(\S.*)$/.exec(line) ?? [];
    if (flags === undefined || text === undefined) {
      throw new Error(`A line of help.txt is no option: ${line}`);
    }
    return [`\`${flags}\``, text.replaceAll('<', '&lt;')];
  });
  return markdownTable(['option', 'what it does'], rows);
}
