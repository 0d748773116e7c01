import { Agent, type EngineEvent, ProviderError } from '@robota-sdk/agent-core';
import { fails, manualClock, says, scriptedProvider } from '@robota-sdk/agent-core/testing';
import { describe, expect, it } from 'vitest';

const down = (facts: Partial<ConstructorParameters<typeof ProviderError>[1]> = {}) =>
  new ProviderError('down', { provider: 'scripted', kind: 'server', isRetryable: false, ...facts });

function models(provider: ReturnType<typeof scriptedProvider>): (string | undefined)[] {
  return provider.requestOptions.map(({ model }) => model);
}

describe('fallback models', () => {
  it('are asked in order when the model before cannot answer, and told of', async () => {
    const provider = scriptedProvider(fails(down()), fails(down({ status: 404 })), says('Here.'));
    const events: EngineEvent[] = [];
    const agent = new Agent({
      provider,
      model: 'first',
      fallbackModels: ['second', 'third'],
      onEvent: (event) => void events.push(event),
    });

    const { response } = await agent.run('Go');

    expect([response, models(provider)]).toEqual(['Here.', ['first', 'second', 'third']]);
    expect(events.filter(({ type }) => type === 'provider_retry')).toMatchObject([
      { reason: 'down', waitMs: 0, model: 'second' },
      { reason: 'down', waitMs: 0, model: 'third' },
    ]);
    expect(events.find(({ type }) => type === 'provider_response_normalized')).toMatchObject({
      model: 'third',
    });
  });

  it('come after the patience with the model itself is at its end', async () => {
    const clock = manualClock();
    const busy = down({ kind: 'overloaded', isRetryable: true });
    const provider = scriptedProvider(fails(busy), fails(busy), says('Here.'));
    const agent = new Agent({
      provider,
      clock,
      model: 'first',
      retry: { maxRetries: 1 },
      fallbackModels: ['second'],
    });

    await agent.run('Go');

    expect([models(provider), clock.sleeps]).toEqual([['first', 'first', 'second'], [1_000]]);
  });

  it('serve the rest of a run, and the next run begins with the model itself', async () => {
    const provider = scriptedProvider(fails(down()), says('One.'), says('Two.'));
    const agent = new Agent({ provider, model: 'first', fallbackModels: ['second'] });

    await agent.run('Go');
    await agent.run('Again');

    expect(models(provider)).toEqual(['first', 'second', 'first']);
  });

  it.each([
    ['a key that is wrong', fails(down({ kind: 'authentication', status: 401 }))],
    ['a request that is malformed', fails(down({ kind: 'invalid_request', status: 400 }))],
    ['a reply that broke off after something was shown', fails(down(), 'Half a sen')],
    ['a failure that is no provider error', fails(new Error('down'))],
  ])('are not asked about %s', async (_name, failure) => {
    const provider = scriptedProvider(failure, says('Never said.'));
    const agent = new Agent({ provider, model: 'first', fallbackModels: ['second'] });

    await expect(agent.run('Go')).rejects.toThrow('down');

    expect(models(provider)).toEqual(['first']);
  });

  it('pass the last failure on when none of them answers', async () => {
    const provider = scriptedProvider(fails(down()), fails(new Error('second is down, too')));
    const agent = new Agent({ provider, model: 'first', fallbackModels: ['second'] });

    await expect(agent.run('Go')).rejects.toThrow('second is down, too');
  });
});
