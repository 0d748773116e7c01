import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { commandsText } from './commands-text.ts';
import { environmentTable } from './environment-table.ts';
import { messageTables } from './message-tables.ts';
import { optionsTable } from './options-table.ts';
import { routesTable } from './routes-table.ts';
import { settingsJsonSchema, settingsTable } from './settings-reference.ts';

const DOCS = join(import.meta.dirname, '../../docs');

/** Every generated file, and every document with generated sections, as it has to be. */
export function referenceFiles(): { readonly path: string; readonly text: string }[] {
  const configuration = {
    settings: settingsTable(),
    options: optionsTable(),
    commands: commandsText(),
    environment: environmentTable(),
  };
  const transports = { routes: routesTable(), messages: messageTables() };
  return [
    document('guide/configuration.md', configuration),
    document('guide/transports.md', transports),
    {
      path: join(DOCS, 'settings.schema.json'),
      text: `${JSON.stringify(settingsJsonSchema(), null, 2)}\n`,
    },
  ];
}

function document(name: string, sections: Readonly<Record<string, string>>) {
  const path = join(DOCS, name);
  let text = readFileSync(path, 'utf8');
  for (const [section, content] of Object.entries(sections)) {
    text = withSection(text, section, content);
  }
  return { path, text };
}

/** Replaces the text between the two comments that name a section. */
function withSection(text: string, name: string, content: string): string {
  const [start, end] = [`<!-- generated: ${name} -->`, `<!-- end of ${name} -->`];
  const [from, to] = [text.indexOf(start), text.indexOf(end)];
  if (from === -1 || to < from) throw new Error(`The section "${name}" needs ${start} and ${end}.`);
  return `${text.slice(0, from + start.length)}\n\n${content.trim()}\n\n${text.slice(to)}`;
}
