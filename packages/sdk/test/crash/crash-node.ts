import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { SharedArchive } from '@robota-sdk/agent-archive';
import { PostgresArchive, PostgresNode } from '@robota-sdk/agent-archive/postgres';
import { createProjectSessionStore, openHostStore, SessionHost } from '@robota-sdk/agent-sdk';
import { markTool, scriptedAgent } from './agent.ts';
import {
  ACKNOWLEDGED_EARLY_MS,
  type NodeStart,
  type Order,
  type OrderDone,
  type OrderSent,
} from './order.ts';
import { plantedArchive, plantedNode, plantedRecords, whileForking } from './plants.ts';
import { essence } from './strict-provider.ts';

/** A process of its own that runs sessions and does what it is told, until it is killed. */
const start = JSON.parse(process.argv[2] ?? '') as NodeStart;
process.env.ROBOTA_HOME = join(start.directory, 'home');
const { host, archive, opened, close } = start.database
  ? await onDatabase(start.database)
  : await onFiles();

process.on('message', ({ ref, order }: OrderSent) => {
  const answer = (done: Omit<OrderDone, 'ref'>) => process.send?.({ ref, ...done });
  perform(order).then(
    (value) => answer({ value }),
    (error: Error) => answer({ error: error.message }),
  );
});
process.on('disconnect', () => process.exit());
process.send?.({ ref: 0 });

async function perform(order: Order): Promise<unknown> {
  if (order.type === 'stop') {
    await host.closeAll();
    await close();
    return setTimeout(() => process.exit(), 10).unref() && true;
  }
  if (order.type === 'create') return void (await host.create({ sessionId: order.id }));
  if (order.type === 'answer') return archive?.answer(order.id, order.questionId, true, order.by);
  if (order.type === 'opened') return (await opened(order.id))?.fold.state.messages.map(essence);
  await host.open(order.id);
  if (order.type === 'fork') {
    const copy = await whileForking(() => host.fork(order.id));
    const messages = (await opened(copy.sessionId))?.fold.state.messages.map(essence);
    const { blocks } = copy.getConversation();
    return [messages, blocks.map((block) => [block.type, 'content' in block && block.content])];
  }
  const { id, messageId } = order;
  if (order.type === 'submit' && start.bug === 'prefix') {
    // Acknowledged before it is kept.
    void delay(ACKNOWLEDGED_EARLY_MS)
      .then(() => host.submit(id, messageId, { messageId }))
      .catch(() => undefined);
    return true;
  }
  // A server that forgets the ids of prompts asks each one as often as it is sent.
  const isForgetful = start.bug === 'consume' && archive === undefined;
  const { outcome } = await host.submit(id, messageId, isForgetful ? {} : { messageId });
  outcome.catch(() => undefined);
  return order.type === 'submit' ? true : (await outcome).status;
}

function defaults() {
  return {
    cwd: start.directory,
    provider: scriptedAgent(start.refusals),
    tools: [markTool(start.effects, start.bug ? 150 : 8)],
    permissionMode: 'bypassPermissions' as const,
    // A model that was compacted in the middle of a turn counts anew, and asks for the same calls once more.
    contextMaxTokens: 1_000_000_000,
    bare: true,
  };
}

async function onDatabase({ url, schema }: { url: string; schema: string }) {
  const shared = new PostgresArchive({ url, schema });
  const { name, ttlMs, lookMs } = start;
  const node = new PostgresNode({ archive: shared, name, ttlMs, lookMs });
  const planted = plantedArchive(shared, start);
  const served = new SessionHost({
    defaults: defaults(),
    node: name,
    archive: { archive: planted, node: plantedNode(node, start) },
    onError: () => undefined,
  });
  await served.start();
  const kept: SharedArchive | undefined = planted;
  const opened = async (id: string) => (await shared.open(id))?.saved;
  return { host: served, archive: kept, opened, close: () => shared.close() };
}

async function onFiles() {
  const store = await openHostStore(`sqlite:${join(start.directory, 'store.db')}`);
  const records = createProjectSessionStore(start.directory);
  const served = new SessionHost({
    defaults: { ...defaults(), sessionStore: plantedRecords(records, start) },
    node: 'files',
    store,
    onError: () => undefined,
  });
  await served.restore();
  const kept: SharedArchive | undefined = undefined;
  const opened = async (id: string) => records.open?.(id);
  return { host: served, archive: kept, opened, close: () => store.close() };
}
