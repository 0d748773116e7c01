import type { InteractiveSession } from '../interactive/interactive-session.ts';
import type { ModelCost } from '../interactive/model-cost.ts';
import type { CommandResult } from './system-command.ts';

/** Session and messages, then a line per model and the total of known prices. */
export async function showCost(session: InteractiveSession): Promise<CommandResult> {
  const messageCount = session.getMessageCount();
  const models = await session.getCosts();
  const known = models.flatMap((model) => model.costUsd ?? []);
  const costUsd = known.reduce((sum, cost) => sum + cost, 0);
  const lines = [
    `Session: ${session.sessionId}`,
    `Messages: ${messageCount}`,
    ...models.map(describeModel),
    ...(known.length > 1 ? [`Total: ${dollars(costUsd)}`] : []),
  ];
  return {
    message: lines.join('\n'),
    success: true,
    data: {
      sessionId: session.sessionId,
      messageCount,
      ...(models.length > 0 && { models, costUsd: known.length > 0 ? costUsd : null }),
    },
  };
}

function describeModel({ model, requests, usage, costUsd, causes }: ModelCost): string {
  const tokens = `${grouped(usage.inputTokens)} in, ${grouped(usage.outputTokens)} out`;
  const cached = usage.cacheReadTokens ? `, ${grouped(usage.cacheReadTokens)} from cache` : '';
  const price = costUsd === null ? 'price unknown' : dollars(costUsd);
  const others = Object.entries(causes)
    .filter(([cause]) => cause !== 'main')
    .map(([cause, count]) => `${count} ${cause}`);
  const split = others.length > 0 ? `, of these ${others.join(', ')}` : '';
  return `${model}: ${tokens}${cached}, ${requests} requests${split}, ${price}`;
}

function grouped(count: number): string {
  return count.toLocaleString('en-US');
}

function dollars(amount: number): string {
  return `$${amount.toFixed(4)}`;
}
