import type { EffectContext } from './effect-runner.ts';
import { keyOf } from './state/overlay.ts';
import type { ScreenEffect } from './state/screen-action.ts';

type PickerEffect = Extract<
  ScreenEffect,
  {
    type: 'rename_session' | 'list_sessions' | 'search_sessions' | 'preview_session';
  }
>;

/** Runs the effects of the session picker. */
export async function carryOutPicker(context: EffectContext, effect: PickerEffect): Promise<void> {
  switch (effect.type) {
    case 'rename_session':
      return context.renameSession(effect.session, effect.name);
    case 'list_sessions':
      return listSessions(context);
    case 'search_sessions':
      return searchSessions(context, effect.text);
    case 'preview_session':
      return previewSession(context, effect);
  }
}

/** Per context: the latest listing. */
const listings = new WeakMap<EffectContext, symbol>();

/** The listing for a picker that was closed ends with the next batch. */
async function listSessions(context: EffectContext): Promise<void> {
  const listing = Symbol('listing');
  listings.set(context, listing);
  for await (const sessions of context.listSessions()) {
    if (listings.get(context) !== listing) return;
    context.dispatch({ type: 'sessions_listed', sessions, isLast: false });
  }
  context.dispatch({ type: 'sessions_listed', sessions: [], isLast: true });
}

/** Delay after the last keystroke before a search starts. */
const SEARCH_DELAY_MS = 150;
const searches = new WeakMap<EffectContext, string>();

/** Debounced: only the latest query is searched. */
async function searchSessions(context: EffectContext, text: string): Promise<void> {
  searches.set(context, text);
  await new Promise((resolve) => setTimeout(resolve, SEARCH_DELAY_MS));
  if (searches.get(context) !== text) return;
  context.dispatch({ type: 'hits_found', hits: await context.searchSessions(text) });
}

/** A session that cannot be read shows its error in place of the preview. */
async function previewSession(
  context: EffectContext,
  { session }: Extract<PickerEffect, { type: 'preview_session' }>,
): Promise<void> {
  const preview = await context.previewSession(session).catch((error: Error) => ({
    prompt: undefined,
    answer: undefined,
    problem: error.message,
  }));
  context.dispatch({ type: 'session_previewed', key: keyOf(session), preview });
}
