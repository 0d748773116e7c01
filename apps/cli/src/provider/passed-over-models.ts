import type { SessionExtension } from '@robota-sdk/agent-sdk';
import type { ProviderChoice } from './provider-choice.ts';

/** Tells the people of a session which models of the settings do not count, and why. */
export function passedOverModels({ notices }: ProviderChoice): SessionExtension {
  return {
    name: 'passed over models',
    extend(context) {
      for (const message of notices) context.notice(message);
      return {};
    },
  };
}
