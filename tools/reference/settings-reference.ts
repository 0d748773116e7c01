import { SETTING_DESCRIPTIONS } from '../../packages/sdk/src/config/setting-descriptions.ts';
import { settingsSchema } from '../../packages/sdk/src/config/settings-schema.ts';
import { inputSchemaOf, type JsonSchema, kindOf } from './json-schema.ts';
import { markdownTable } from './markdown-table.ts';

/** A profile is described once, below `providers.<name>`. */
const SAME_FIELDS: Readonly<Record<string, string>> = { provider: 'providers.<name>' };

export function settingsTable(): string {
  const rows = [...settingPaths()].map(([path, schema]) => [
    `\`${path}\``,
    kindOf(schema),
    descriptionOf(path),
  ]);
  return markdownTable(['setting', 'value', 'what it does'], rows);
}

/** The schema of a settings file, for editors. Keys of other programs are not refused. */
export function settingsJsonSchema(): object {
  const { properties } = described(inputSchemaOf(settingsSchema), '');
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Settings of robota',
    type: 'object',
    properties: { $schema: { type: 'string' }, ...properties },
  };
}

/** Every path of the settings with its schema, alphabetically. */
export function settingPaths(): Map<string, JsonSchema> {
  const found = new Map<string, JsonSchema>();
  collect(inputSchemaOf(settingsSchema), '', found);
  return new Map([...found].sort(([left], [right]) => (left < right ? -1 : 1)));
}

function collect(schema: JsonSchema, path: string, found: Map<string, JsonSchema>): void {
  if (path !== '' && !path.endsWith('<name>')) found.set(path, schema);
  if (path in SAME_FIELDS) return;
  for (const [name, inner] of Object.entries(schema.properties ?? {})) {
    collect(inner, path === '' ? name : `${path}.${name}`, found);
  }
  const { additionalProperties: each } = schema;
  if (typeof each === 'object' && each.properties) collect(each, `${path}.<name>`, found);
}

function descriptionOf(path: string): string {
  const text = SETTING_DESCRIPTIONS[path];
  if (text === undefined) {
    throw new Error(`The setting "${path}" needs a sentence in setting-descriptions.ts.`);
  }
  return text;
}

/** The same schema with our sentences in it. */
function described(schema: JsonSchema, path: string): JsonSchema {
  const { properties, additionalProperties: each } = schema;
  const fields = Object.entries(properties ?? {}).map(([name, inner]) => {
    const place = path === '' ? name : `${path}.${name}`;
    return [
      name,
      { description: descriptionOf(place), ...described(inner, SAME_FIELDS[place] ?? place) },
    ];
  });
  return {
    ...schema,
    ...(properties && { properties: Object.fromEntries(fields) as Record<string, JsonSchema> }),
    ...(typeof each === 'object' && { additionalProperties: described(each, `${path}.<name>`) }),
  };
}
