import type { CommandResult } from './system-command.ts';

/** As much of a session as commands change. */
export interface ChangeableSession {
  setModel(model: string): void;
  setLanguage(language: string): void;
  setName(name: string): void;
}

/** Makes the changes that a command asks its caller for. Every surface does it here, so that all do the same. */
export function applyCommandResult(session: ChangeableSession, result: CommandResult): void {
  if (!result.success) return;
  const { modelId, language, name } = result.data ?? {};
  if (typeof modelId === 'string') session.setModel(modelId);
  if (typeof language === 'string') session.setLanguage(language);
  if (typeof name === 'string') session.setName(name);
}
