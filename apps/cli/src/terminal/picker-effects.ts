import type { EffectWorld } from './effect-runner.ts';
import { keyOf } from './state/overlay.ts';
import type { ScreenEffect } from './state/screen-action.ts';

type PickerEffect = Extract<
  ScreenEffect,
  {
    type:
      | 'open_session'
      | 'rename_session'
      | 'list_sessions'
      | 'search_sessions'
      | 'preview_session';
  }
>;

/** What the list of sessions asks for. */
export async function carryOutPicker(world: EffectWorld, effect: PickerEffect): Promise<void> {
  switch (effect.type) {
    case 'open_session':
      return world.openSession(effect.session, effect.fork);
    case 'rename_session':
      return world.renameSession(effect.session, effect.name);
    case 'list_sessions':
      return listSessions(world);
    case 'search_sessions':
      return searchSessions(world, effect.text);
    case 'preview_session':
      return previewSession(world, effect);
  }
}

async function listSessions(world: EffectWorld): Promise<void> {
  for await (const sessions of world.listSessions()) {
    world.dispatch({ type: 'sessions_listed', sessions, isLast: false });
  }
  world.dispatch({ type: 'sessions_listed', sessions: [], isLast: true });
}

/** How long typing must rest before words are looked for. */
const RESTING_MS = 150;
const searches = new WeakMap<EffectWorld, string>();

/** Only what was typed last is looked for. */
async function searchSessions(world: EffectWorld, text: string): Promise<void> {
  searches.set(world, text);
  await new Promise((resolve) => setTimeout(resolve, RESTING_MS));
  if (searches.get(world) !== text) return;
  world.dispatch({ type: 'hits_found', hits: await world.searchSessions(text) });
}

/** What cannot be read is said where the preview would stand. */
async function previewSession(
  world: EffectWorld,
  { session }: Extract<PickerEffect, { type: 'preview_session' }>,
): Promise<void> {
  const preview = await world.previewSession(session).catch((error: Error) => ({
    prompt: undefined,
    answer: undefined,
    problem: error.message,
  }));
  world.dispatch({ type: 'session_previewed', key: keyOf(session), preview });
}
