import { applyStreamEvent, type StreamEvent } from '@robota-sdk/agent-transcript';
import { completionFor } from './completion.ts';
import { askPermission, dropRequest, openPicker } from './overlay.ts';
import { pressOverlay } from './press-overlay.ts';
import { pressPrompt } from './press-prompt.ts';
import { printAgain, printFinished } from './print-blocks.ts';
import { just, type ScreenAction, type ScreenUpdate } from './screen-action.ts';
import type { ScreenState } from './screen-state.ts';

/** The screen after something happened, and what the world is asked to do about it. Pure. */
export function updateScreen(state: ScreenState, action: ScreenAction): ScreenUpdate {
  switch (action.type) {
    case 'press':
      return state.overlay ? pressOverlay(state, action.press) : pressPrompt(state, action.press);
    case 'stream':
      return isTakenBack(action.event)
        ? takenBack(state, action.event)
        : just(streamed(state, action.event));
    case 'picker_opened':
      return just({ ...state, overlay: openPicker() }, { type: 'list_sessions' });
    case 'opened':
      return just(
        printAgain({ ...state, conversation: action.conversation, openBlocks: new Set() }),
        { type: 'clear_screen' },
      );
    default:
      return just(changed(state, action));
  }
}

type QuietAction = Exclude<ScreenAction, { type: 'press' | 'stream' | 'picker_opened' | 'opened' }>;

/** What happens without asking anything of the world. */
function changed(state: ScreenState, action: QuietAction): ScreenState {
  switch (action.type) {
    case 'busy':
      return printFinished({ ...state, isBusy: action.isBusy });
    case 'queued':
      return { ...state, queued: action.prompt };
    case 'permission_asked':
      return { ...state, overlay: askPermission(state.overlay, action.request) };
    case 'permission_resolved':
      return { ...state, overlay: dropRequest(state.overlay, action.requestId) };
    case 'trust_asked':
      return {
        ...state,
        overlay: { kind: 'trust', directory: action.directory, wishes: action.wishes, selected: 1 },
      };
    case 'sessions_listed':
      return listed(state, action);
    case 'status':
      return { ...state, status: { ...state.status, ...action.facts } };
    case 'notice':
      return { ...state, notice: action.message };
    case 'commands_listed':
      return { ...state, commands: action.commands };
    case 'files_listed':
      return {
        ...state,
        files: action.files,
        completion: completionFor(state.editor, state.commands, action.files),
      };
    case 'prompts_loaded': {
      const prompts = [...action.prompts, ...state.recall.prompts];
      return { ...state, recall: { ...state.recall, prompts } };
    }
    case 'highlighter_loaded':
      return { ...state, highlight: action.highlight };
    case 'resized':
      return { ...state, columns: action.columns, rows: action.rows };
  }
}

type TakenBack = Extract<StreamEvent, { type: 'block_update' }>;

/** A block leaves the conversation: it was cleared, rewound or tried again. */
function isTakenBack(event: StreamEvent): event is TakenBack {
  return (
    event.type === 'block_update' &&
    event.conversationId === 'main' &&
    event.updates.superseded !== undefined
  );
}

/** What was printed stays above, unless nothing is left: then the screen begins anew. */
function takenBack(state: ScreenState, event: TakenBack): ScreenUpdate {
  const place = state.conversation.blocks.findIndex(({ id }) => id === event.blockId);
  const wasPrinted = place !== -1 && place < state.print.blocks;
  const conversation = applyStreamEvent(state.conversation, event);
  const next = { ...state, conversation };
  if (conversation.blocks.length === 0) return just(printAgain(next), { type: 'clear_screen' });
  const blocks = state.print.blocks - (wasPrinted ? 1 : 0);
  return just({ ...next, print: { ...state.print, blocks } });
}

function streamed(state: ScreenState, event: StreamEvent): ScreenState {
  const conversation = applyStreamEvent(state.conversation, event);
  const next = { ...state, conversation, openBlocks: openAfter(state.openBlocks, event) };
  return event.conversationId === 'main' ? printFinished(next) : next;
}

function openAfter(open: ReadonlySet<string>, event: StreamEvent): ReadonlySet<string> {
  if (event.type === 'block_start') return new Set(open).add(event.block.id);
  if (event.type !== 'block_complete' || !open.has(event.blockId)) return open;
  const next = new Set(open);
  next.delete(event.blockId);
  return next;
}

/** Sessions arrive in parts, as each agent's are found; the newest stand first. */
function listed(
  state: ScreenState,
  action: Extract<ScreenAction, { type: 'sessions_listed' }>,
): ScreenState {
  const { overlay } = state;
  if (overlay?.kind !== 'picker') return state;
  const sessions = [...overlay.sessions, ...action.sessions].sort(
    (left, right) => right.updatedAt - left.updatedAt,
  );
  return { ...state, overlay: { ...overlay, sessions, isLoading: !action.isLast } };
}
