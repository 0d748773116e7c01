import type { RewindOptions } from '@robota-sdk/agent-sdk';
import type { Role } from '../admission/roles.ts';

/** Files change without a question on the way, so whoever asks for it must be one who may answer questions. */
export function roleOfRewind({ what = 'both' }: Pick<RewindOptions, 'what'>): Role {
  return what === 'conversation' ? 'prompt' : 'approve';
}
