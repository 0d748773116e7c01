import { effectiveLayers, redact, resolveSettings, robotaHome } from '@robota-sdk/agent-sdk';
import { readFlags } from '../arguments/read-flags.ts';
import type { Output } from '../output.ts';
import { chooseProvider } from '../provider/provider-choice.ts';

const FLAGS = {
  json: { type: 'boolean' },
  trust: { type: 'boolean' },
  debug: { type: 'boolean' },
} as const;

/** Shows the effective settings by the file they come from, and what awaits trust. Secrets are redacted. */
export async function runConfig(args: readonly string[], output: Output): Promise<number> {
  const { values } = readFlags(args, FLAGS);
  const cwd = process.cwd();
  const settings = await resolveSettings({ cwd, ...(values.trust && { trust: true }) });
  const { kind, model, reason } = chooseProvider({
    provider: undefined,
    model: undefined,
    baseUrl: undefined,
    profile: settings.config.provider,
    profiles: settings.config.providers ?? {},
    models: settings.config.models ?? [],
    environment: process.env,
  });
  const facts = redact({
    home: robotaHome(),
    directory: cwd,
    trusted: settings.trusted,
    provider: { kind, model: model ?? null, reason },
    files: settings.files,
    inactive: settings.inactive.map(({ file, field }) => ({ file, field })),
    notices: settings.notices,
    values: effectiveLayers(settings.layers),
    config: settings.config,
  });
  if (values.json) {
    output.writeLine(JSON.stringify(facts));
    return 0;
  }
  output.writeLine(`Home       ${facts.home}`);
  output.writeLine(`Directory  ${facts.directory} (${facts.trusted ? 'trusted' : 'not trusted'})`);
  output.writeLine(`Provider   ${kind}${model ? ` ${model}` : ''} (${reason})`);
  output.writeLine(
    `Settings   ${facts.files.length > 0 ? facts.files.join('\n           ') : 'none found'}`,
  );
  for (const { file, field } of facts.inactive)
    output.writeLine(`Inactive   ${field} of ${file}, until the directory is trusted`);
  for (const notice of facts.notices) output.writeLine(`Note       ${notice}`);
  for (const { source, settings: values } of facts.values) {
    output.writeLine(`From ${source}`);
    for (const line of linesOf(values, '')) output.writeLine(`  ${line}`);
  }
  return 0;
}

/** One line for each value, with its dotted name. */
function linesOf(values: object, path: string): string[] {
  return Object.entries(values).flatMap(([key, value]: [string, unknown]) => {
    const name = path === '' ? key : `${path}.${key}`;
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      return [`${name}: ${JSON.stringify(value)}`];
    return linesOf(value, name);
  });
}
