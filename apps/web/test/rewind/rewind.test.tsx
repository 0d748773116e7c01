import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { UserMessage } from '../../src/blocks/user-message.tsx';
import { PromptActionsContext } from '../../src/rewind/prompt-actions.tsx';
import { RewindChanges } from '../../src/rewind/rewind-dialog.tsx';

const block = { type: 'user_message', id: 'p1', timestamp: '', content: 'Do it' } as const;
const ignored = () => undefined;

describe('a prompt', () => {
  it('offers rewind and fork when the session supports them', () => {
    const shown = renderToStaticMarkup(
      <PromptActionsContext value={{ onRewind: ignored, onFork: ignored }}>
        <UserMessage block={block} />
      </PromptActionsContext>,
    );

    expect(shown).toContain('Rewind to before this');
    expect(shown).toContain('Fork before this');
  });

  it('offers nothing in an export', () => {
    expect(renderToStaticMarkup(<UserMessage block={block} />)).not.toContain('button');
  });
});

describe('what a rewind would change', () => {
  const preview = {
    to: 'p1',
    prompt: 'Do it',
    notCovered: ['what ran in the background'],
    seen: 'these',
    files: [
      { path: 'a.txt', change: 'restore', diff: [{ type: 'add', text: 'old', lineNumber: 1 }] },
      { path: 'b.txt', change: 'delete', conflict: 'it was changed after the agent changed it' },
    ],
  } as const;

  it('is listed per file, with consent for files the user changed', () => {
    const shown = renderToStaticMarkup(
      <RewindChanges preview={preview} isOverwriting={false} onOverwriting={ignored} />,
    );

    expect(shown).toContain('is restored');
    expect(shown).toContain('stays as it is: it was changed after the agent changed it');
    expect(shown).toContain('Replace my versions too');
    expect(shown).toContain('Not covered: what ran in the background');
    expect(shown).toContain('aria-label="Changes in a.txt"');
  });

  it('includes files of the user after consent', () => {
    const shown = renderToStaticMarkup(
      <RewindChanges preview={preview} isOverwriting onOverwriting={ignored} />,
    );

    expect(shown).toContain('is removed');
  });
});
