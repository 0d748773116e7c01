import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { assertPluginName } from './plugin-name.ts';

/** Created when a marketplace is read, to keep startup fast. */
const marketplaceSchema = () =>
  z.looseObject({
    name: z.string(),
    plugins: z.array(
      z.looseObject({
        name: z.string(),
        title: z.string().optional(),
        description: z.string().default(''),
        version: z.string().optional(),
        category: z.string().optional(),
        keywords: z.array(z.string()).optional(),
        tags: z.array(z.string()).optional(),
        source: z.union([z.string(), z.looseObject({})]),
        /** `false`: the plugin has no manifest; this entry is its manifest. */
        strict: z.boolean().optional(),
      }),
    ),
  });

/** The plugins of a marketplace. */
export type MarketplaceFile = z.output<ReturnType<typeof marketplaceSchema>>;
export type MarketplaceEntry = MarketplaceFile['plugins'][number];

export const MARKETPLACE_FILE = '.claude-plugin/marketplace.json';

export function readMarketplaceFile(directory: string): MarketplaceFile {
  const file = join(directory, MARKETPLACE_FILE);
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new Error(`${directory} does not contain ${MARKETPLACE_FILE}`, { cause: error });
  }
  return parseMarketplace(text, file);
}

export function parseMarketplace(text: string, source: string): MarketplaceFile {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new Error(`${source} is not valid JSON (${(error as Error).message})`, { cause: error });
  }
  const parsed = marketplaceSchema().safeParse(value);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    throw new Error(`${source}: ${issue?.path.join('.') ?? ''} ${issue?.message ?? 'is wrong'}`, {
      cause: parsed.error,
    });
  }
  assertPluginName(parsed.data.name, `The marketplace of ${source}`);
  return parsed.data;
}
