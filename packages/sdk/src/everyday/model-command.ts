import {
  expandModelAlias,
  formatTokenCount,
  listModels,
  type ModelOffer,
  type Provider,
  problemWithModel,
} from '@robota-sdk/agent-core';
import type { SystemCommand } from '../commands/system-command.ts';

/** Lists models with context windows and prices, or requests another one; an unknown id is refused. */
export function modelCommand(provider: Provider): SystemCommand {
  return {
    name: 'model',
    description: 'Choose the model',
    async execute(session, args) {
      const current = session.getModel();
      if (args === '') {
        const models = await listModels(provider);
        const lines = models.map((offer) => describe(offer, offer.id === current));
        return { success: true, message: lines.join('\n'), data: { models, current } };
      }
      const isForced = args.endsWith(' --force');
      const model = isForced ? args.slice(0, -' --force'.length).trim() : args;
      const problem = isForced ? undefined : await problemWithModel(model, provider);
      if (problem !== undefined) {
        const message = `${problem} To ask for it all the same: /model ${model} --force`;
        return { success: false, message };
      }
      const modelId = expandModelAlias(model);
      return { success: true, message: `Model change requested: ${model}`, data: { modelId } };
    },
  };
}

function describe({ id, contextWindow, inputUsd, outputUsd }: ModelOffer, isCurrent: boolean) {
  const price =
    inputUsd === null || outputUsd === null
      ? 'price unknown'
      : `$${inputUsd} in, $${outputUsd} out per million tokens`;
  const window = `${formatTokenCount(contextWindow)} window`;
  return `${isCurrent ? '●' : ' '} ${id.padEnd(22)} ${window.padEnd(14)} ${price}`;
}
