import { Shield } from 'lucide-react';
import type { CommandFacts } from '../api-types.ts';

export interface PromptOptions {
  readonly commands: readonly CommandFacts[];
  readonly model: string | undefined;
  readonly models: readonly string[];
  readonly mode: string | undefined;
  readonly modes: readonly string[];
  readonly onModel: (model: string) => void;
  readonly onMode: (mode: string) => void;
}

const MODE_WORDS: Readonly<Record<string, string>> = {
  plan: 'Plan only',
  default: 'Ask first',
  acceptEdits: 'Edits allowed',
  bypassPermissions: 'Everything allowed',
};

/** Model and permission mode. */
export function PromptSettings(props: PromptOptions) {
  const { model, models, mode, modes } = props;
  return (
    <>
      {mode !== undefined && (
        <span className="pill">
          <Shield aria-hidden="true" />
          <select
            aria-label="Permission mode"
            value={mode}
            onChange={(event) => props.onMode(event.target.value)}
          >
            {withCurrent(modes, mode).map((name) => (
              <option key={name} value={name}>
                {MODE_WORDS[name] ?? name}
              </option>
            ))}
          </select>
        </span>
      )}
      {model !== undefined && (
        <span className="pill">
          <select
            aria-label="Model"
            value={model}
            onChange={(event) => props.onModel(event.target.value)}
          >
            {withCurrent(models, model).map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </span>
      )}
    </>
  );
}

function withCurrent(names: readonly string[], current: string): readonly string[] {
  return names.includes(current) ? names : [current, ...names];
}
