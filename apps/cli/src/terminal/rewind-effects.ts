import type { LiveSession, RewindResult } from '@robota-sdk/agent-sdk';
import type { ScreenAction, ScreenEffect } from './state/screen-action.ts';

type RewindEffect = Extract<ScreenEffect, { type: 'preview_rewind' | 'rewind' | 'undo_rewind' }>;

/** Runs, previews or undoes a rewind. */
export async function carryOutRewind(
  session: LiveSession,
  effect: RewindEffect,
  dispatch: (action: ScreenAction) => void,
): Promise<void> {
  switch (effect.type) {
    case 'preview_rewind': {
      const preview = await session.previewRewind(effect.to);
      dispatch({ type: 'rewind_previewed', preview });
      return;
    }
    case 'rewind': {
      const { to, what, conflicts, seen } = effect;
      const result = await session.rewind({ to, what, conflicts, seen });
      const text = `Went back to before “${firstLine(result.prompt)}”: ${changed(result)}. esc esc ctrl+u undoes it.`;
      dispatch({ type: 'note', text, tone: 'plain' });
      if (what !== 'files') dispatch({ type: 'rewound', prompt: result.prompt });
      return;
    }
    case 'undo_rewind': {
      const result = await session.undoRewind({ conflicts: 'keep' });
      dispatch({ type: 'note', text: `Undid the rewind: ${changed(result)}.`, tone: 'plain' });
    }
  }
}

function changed({ files, kept, what }: RewindResult): string {
  const count = files.length === 1 ? '1 file changed' : `${files.length} files changed`;
  const parts = [
    what === 'files' ? 'the conversation stays' : 'the conversation is back there',
    files.length === 0 ? 'no file changed' : count,
    ...(kept.length > 0 ? [`left as you have them: ${kept.join(', ')}`] : []),
  ];
  return parts.join('; ');
}

function firstLine(text: string): string {
  const [line = ''] = text.split('\n');
  return line.length > 40 ? `${line.slice(0, 39)}…` : line;
}
