import { nearestBeginning, nearestName } from '../nearest-name.ts';
import {
  expandModelAlias,
  type ModelProvider,
  modelFamilyOf,
  providerFamilyOf,
} from './choose-model.ts';
import { findModelRow } from './model-limits.ts';
import { MODEL_ALIASES, MODEL_TABLE } from './model-table.ts';

/** A model in a selection list. */
export interface ModelOffer {
  readonly id: string;
  readonly name: string;
  /** Tokens. */
  readonly contextWindow: number;
  /** US dollars per million tokens by list price; null if unknown. */
  readonly inputUsd: number | null;
  readonly outputUsd: number | null;
}

/** The known models that a provider serves; all known models if it serves any vendor. */
export async function listModels(provider: ModelProvider): Promise<ModelOffer[]> {
  const home = providerFamilyOf(provider);
  const rows = home ? MODEL_TABLE.filter(({ id }) => modelFamilyOf(id) === home) : MODEL_TABLE;
  const { calcPrice } = await import('@pydantic/genai-prices');
  const perMillion = (usage: Record<string, number>, id: string) => {
    const price = calcPrice(usage, id)?.total_price;
    return price === undefined ? null : Math.round(price * 1_000_000_000) / 1_000_000;
  };
  return rows.map(({ id, name, contextWindow }) => ({
    id,
    name,
    contextWindow,
    inputUsd: perMillion({ input_tokens: 1_000 }, id),
    outputUsd: perMillion({ output_tokens: 1_000 }, id),
  }));
}

/** Why a model cannot be used here, with the nearest known name; undefined if it can. */
export async function problemWithModel(
  model: string,
  provider: ModelProvider,
): Promise<string | undefined> {
  const id = expandModelAlias(model);
  const home = providerFamilyOf(provider);
  if (!home) return undefined;
  const family = modelFamilyOf(id);
  if (family !== undefined && family !== home) {
    return `${id} is a model of ${family}; this session asks ${home}.`;
  }
  if (findModelRow(id) !== undefined) return undefined;
  const { calcPrice } = await import('@pydantic/genai-prices');
  if (calcPrice({ input_tokens: 1 }, id) !== null) return undefined;
  const known = MODEL_TABLE.map((row) => row.id).filter((each) => modelFamilyOf(each) === home);
  const aliases = Object.keys(MODEL_ALIASES).filter(
    (alias) => modelFamilyOf(expandModelAlias(alias)) === home,
  );
  const nearest = nearestName(id, [...known, ...aliases]) ?? nearestBeginning(id, known);
  const hint = nearest === undefined ? '' : ` Did you mean ${nearest}?`;
  return `There is no model "${model}" of ${home} that is known here.${hint}`;
}
