import type { SessionExtension } from '@robota-sdk/agent-sdk';
import type { ProviderChoice } from './provider-choice.ts';

/** Reports models in the settings that were ignored, and why. */
export function passedOverModels({ notices }: ProviderChoice): SessionExtension {
  return {
    name: 'passed over models',
    extend(context) {
      for (const message of notices) context.notice(message);
      return {};
    },
  };
}
