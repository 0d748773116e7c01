import type { CommandResult } from './system-command.ts';

/** The part of a session that commands change. */
export interface ChangeableSession {
  setModel(model: string): void;
  setLanguage(language: string): void;
  setName(name: string): void;
}

/** Applies the changes that a command requests from its caller; shared by all surfaces. */
export function applyCommandResult(session: ChangeableSession, result: CommandResult): void {
  if (!result.success) return;
  const { modelId, language, name } = result.data ?? {};
  if (typeof modelId === 'string') session.setModel(modelId);
  if (typeof language === 'string') session.setLanguage(language);
  if (typeof name === 'string') session.setName(name);
}
