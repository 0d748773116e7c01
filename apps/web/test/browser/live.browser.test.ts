import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { browserForTests, keepPicture } from './browser.ts';
import { TOKEN } from './fake-server.ts';
import type { FakeSession } from './fake-session.ts';
import { block, QUESTION, sampleWorld } from './sample-world.ts';

const browser = browserForTests();

async function openShow(path = '/s/robota/show') {
  const world = sampleWorld();
  const server = await browser.serve(world);
  const opened = await browser.open(server, path);
  await opened.page.locator('.row').first().waitFor();
  return { world, server, session: world.main, ...opened };
}

/** Streams a text in chunks. */
function stream(session: FakeSession, id: string, text: string, size = 7): void {
  const conversationId = 'main';
  session.says({ type: 'block_start', conversationId, block: block.text(id, '') });
  for (let at = 0; at < text.length; at += size) {
    const delta = text.slice(at, at + size);
    session.says({ type: 'text_delta', conversationId, blockId: id, delta });
  }
}

function gapOf(page: Page): Promise<number> {
  return page
    .locator('.conversation-scroll')
    .evaluate((box) => box.scrollHeight - box.scrollTop - box.clientHeight);
}

describe('a live session', () => {
  it('sends a prompt and follows the streaming answer', async () => {
    const { page, session, problems } = await openShow();
    session.onPrompt = (text) => {
      session.tell({ type: 'user_message', content: text });
      session.tell({ type: 'thinking', is_thinking: true });
      session.says({
        type: 'block_complete',
        conversationId: 'main',
        blockId: 'p1',
        block: block.user('p1', text),
      });
      stream(session, 'answer', `# Yes\n\n${'A paragraph of the answer.\n\n'.repeat(60)}The end.`);
    };
    await page.getByLabel('Prompt').fill('Does it work?');

    await page.keyboard.press('Enter');

    await page.getByText('The end.').waitFor();
    expect(session.prompts).toEqual(['Does it work?']);
    expect(await page.getByLabel('Prompt').inputValue()).toBe('');
    await expect.poll(() => gapOf(page)).toBeLessThanOrEqual(24);
    expect(problems).toEqual([]);
  });

  it('queues prompts while working, and Up takes the last one back', async () => {
    const { page, session } = await openShow();
    session.tell({ type: 'thinking', is_thinking: true });
    await page.getByRole('button', { name: 'Stop' }).waitFor();
    await page.getByLabel('Prompt').fill('then bump the version');
    await page.keyboard.press('Enter');
    await page.getByRole('list', { name: 'Queued prompts' }).waitFor();
    await keepPicture(page, 'queue');

    await page.keyboard.press('ArrowUp');

    expect(await page.getByLabel('Prompt').inputValue()).toBe('then bump the version');
    expect(await page.getByRole('list', { name: 'Queued prompts' }).count()).toBe(0);
  });

  it('suggests commands and files while typing', async () => {
    const { page } = await openShow();
    const prompt = page.getByLabel('Prompt');
    await prompt.pressSequentially('/co');
    await page.locator('.suggestion').first().waitFor();
    expect(await page.locator('.suggestion-word').allInnerTexts()).toEqual([
      '/compact',
      '/cost',
      '/context',
    ]);
    await keepPicture(page, 'slash');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Tab');
    expect(await prompt.inputValue()).toBe('/cost ');

    await prompt.fill('');
    await prompt.pressSequentially('see @rec');
    await page.locator('.suggestion', { hasText: '@src/session/recover.ts' }).click();

    expect(await prompt.inputValue()).toBe('see @src/session/recover.ts ');
  });

  it('keeps the draft over a reload', async () => {
    const { page } = await openShow();
    await page.getByLabel('Prompt').fill('a long thought');

    await page.reload();

    await expect.poll(() => page.getByLabel('Prompt').inputValue()).toBe('a long thought');
  });

  it('sends images with a prompt', async () => {
    const { page, session } = await openShow();
    await page.getByLabel('Attach pictures').setInputFiles({
      name: 'dot.png',
      mimeType: 'image/png',
      buffer: Buffer.from(
        'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
        'base64',
      ),
    });
    await page.getByAltText('dot.png').waitFor();

    await page.getByLabel('Prompt').fill('What is this?');
    await page.keyboard.press('Enter');

    await expect
      .poll(() => session.contents)
      .toMatchObject([
        [
          { type: 'text', text: 'What is this?' },
          { type: 'image', media_type: 'image/png', data: expect.stringContaining('iVBOR') },
        ],
      ]);
  });
});

describe('a question', () => {
  it('is shown on every page, and closes everywhere when answered on one', async () => {
    const { page, session, server } = await openShow();
    const other = await browser.open(server, '/s/robota/show');
    session.tell(QUESTION);
    await page.getByRole('alertdialog').waitFor();
    await other.page.getByRole('alertdialog').waitFor();
    await keepPicture(page, 'question-light');
    expect(await page.evaluate(() => document.activeElement?.closest('.question'))).toBeNull();

    await other.page.getByRole('button', { name: /Allow once/ }).click();

    await page.getByRole('alertdialog').waitFor({ state: 'hidden' });
    expect(session.answers).toEqual([{ requestId: 'q1', decision: 'allow' }]);
  });

  it('closes when the terminal has answered it', async () => {
    const { page, session } = await openShow();
    session.tell(QUESTION);
    await page.getByRole('alertdialog').waitFor();

    session.tell({ type: 'question_resolved', question_id: 'q1', how: 'answered' });

    await page.getByRole('alertdialog').waitFor({ state: 'hidden' });
    expect(session.answers).toEqual([]);
  });

  it('is allowed by Ctrl Enter only while focused, and not right after appearing', async () => {
    const { page, session } = await openShow();
    session.tell(QUESTION);
    await page.getByRole('alertdialog').waitFor();
    await page.getByLabel('Prompt').focus();
    await page.keyboard.press('Control+Enter');
    expect(session.answers).toEqual([]);

    await page.locator('.conversation-scroll').focus();
    await page.keyboard.press('p');
    await expect
      .poll(async () => {
        await page.keyboard.press('Control+Enter');
        return session.answers;
      })
      .toEqual([{ requestId: 'q1', decision: 'allow' }]);
  });

  it('is denied with a reason for the agent', async () => {
    const { page, session } = await openShow();
    session.tell(QUESTION);
    await page.getByRole('button', { name: 'Deny…' }).click();
    await page.getByLabel('Reason for the agent').fill('Not this file');
    await page.keyboard.press('Enter');

    await expect.poll(() => session.answers).toEqual([{ requestId: 'q1', decision: 'deny' }]);
    await page.getByRole('alertdialog').waitFor({ state: 'detached' });
    expect(await page.getByLabel('Prompt').inputValue()).toBe('');
  });

  it('moves an unsent reason to the draft when another surface answers first', async () => {
    const { page, session } = await openShow();
    await page.getByLabel('Prompt').fill('next: tests');
    session.tell(QUESTION);
    await page.getByRole('button', { name: 'Deny…' }).click();
    await page.getByLabel('Reason for the agent').fill('Not this file');

    session.tell({ type: 'question_resolved', question_id: 'q1', how: 'answered', by: 'grace' });

    await expect
      .poll(() => page.getByLabel('Prompt').inputValue())
      .toBe('Not this file\nnext: tests');
    expect(session.answers).toEqual([]);
  });
});

describe('a lost connection', () => {
  const PARTS = Array.from({ length: 40 }, (_, index) => `part ${index}.`);

  it('resumes after a reload while streaming, without gap or repeat', async () => {
    const { page, session } = await openShow();
    session.tell({ type: 'thinking', is_thinking: true });
    stream(session, 'x', PARTS.slice(0, 20).join('\n\n'));
    await page.getByText('part 19.').waitFor();

    await page.reload();
    await page.getByText('part 19.').waitFor();
    more(session, `\n\n${PARTS.slice(20).join('\n\n')}`);

    await page.getByText('part 39.').waitFor();
    await expectPartsOnce(page);
  });

  it('is reported, recovers after a restart, and shows everything once', async () => {
    const { page, session, server } = await openShow();
    session.tell({ type: 'thinking', is_thinking: true });
    stream(session, 'x', PARTS.slice(0, 20).join('\n\n'));
    await page.getByText('part 19.').waitFor();
    await page.getByLabel('Prompt').fill('kept');

    await server.stop();
    await page.getByText('Connection lost').waitFor();
    await keepPicture(page, 'reconnecting');
    session.restart();
    more(session, `\n\n${PARTS.slice(20).join('\n\n')}`);
    await server.start();

    await page.getByText('Connection lost').waitFor({ state: 'hidden' });
    await page.getByText('part 39.').waitFor();
    await expectPartsOnce(page);
    expect(await page.getByLabel('Prompt').inputValue()).toBe('kept');
  });

  function more(session: FakeSession, delta: string): void {
    session.says({ type: 'text_delta', conversationId: 'main', blockId: 'x', delta });
  }

  /** Only visible rows are rendered: expects the last ones, each once and in order. */
  async function expectPartsOnce(page: Page): Promise<void> {
    await expect
      .poll(async () => {
        const shown = await partsShown(page);
        return shown.length > 10 && shown.join() === PARTS.slice(-shown.length).join();
      })
      .toBe(true);
  }

  async function partsShown(page: Page): Promise<string[]> {
    const texts = await page.locator('.md p').allInnerTexts();
    return texts.map((text) => text.trim()).filter((text) => text.startsWith('part '));
  }
});

describe('sessions of other programs', () => {
  it('follows one that another program writes, and shows that', async () => {
    const { page, world } = await openShow('/s/codex/x1');
    await page.getByText('This session runs in Codex').waitFor();
    await page.getByText('accepts no prompts here').waitFor();
    const followed = world.sessions.find(({ row }) => row.id === 'x1');

    followed?.says({
      type: 'block_complete',
      conversationId: 'main',
      blockId: 'new',
      block: block.text('new', 'Written by the other program.'),
    });

    await page.getByText('Written by the other program.').waitFor();
  });

  it('reads a saved one, and continues it as a Robota session', async () => {
    const { page, server } = await openShow('/s/gemini/g1');
    await page.getByText('Found it.').waitFor();

    await page.getByRole('button', { name: 'Continue here' }).click();

    await page.waitForURL(/\/s\/robota\/forked$/);
    expect(server.requests.some(({ path }) => path === '/api/sessions/g1/hand-over')).toBe(true);
  });

  it('renames, and confirms before deleting', async () => {
    const { page, server } = await openShow();
    const sent = (method: string) => server.requests.filter((request) => request.method === method);
    await page.getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name: 'Rename' }).click();
    await page.getByLabel('Name of the session').fill('A better name');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'A better name' }).waitFor();
    expect(sent('PATCH')[0]?.body).toEqual({ name: 'A better name' });

    await page.getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name: 'Delete the session' }).click();
    expect(sent('DELETE')).toEqual([]);
    await page.getByRole('menuitem', { name: /press again/ }).click();

    await page.waitForURL(/\/$/);
    expect(sent('DELETE').map(({ path }) => path)).toEqual(['/api/sessions/show']);
  });
});

describe('access to the page', () => {
  it('never puts the token in a URL, and asks for one when missing', async () => {
    const { page, addresses, server } = await openShow();
    expect(
      addresses.filter((address) => address.includes(TOKEN) || address.includes('code=code')),
    ).toEqual([]);
    expect(page.url()).toBe(`${server.url}/s/robota/show`);

    const sibling = await page.context().newPage();
    await sibling.goto(`${server.url}/`);
    await sibling.getByText('Pick up where any agent left off').waitFor();

    const stranger = await page.context().browser()?.newContext();
    const outside = await stranger?.newPage();
    await outside?.goto(`${server.url}/#code=guessed`);
    await outside?.getByLabel('Token').fill('wrong');
    await outside?.keyboard.press('Enter');
    await outside?.getByText('refused this token').waitFor();
    await outside?.getByLabel('Token').fill(TOKEN);
    await outside?.keyboard.press('Enter');
    await outside?.getByText('Pick up where any agent left off').waitFor();
    await stranger?.close();
  });

  it('a code opens the page once', async () => {
    const { server, page } = await openShow();
    const code = server.newCode();
    const first = await page.context().browser()?.newPage();
    await first?.goto(`${server.url}/#code=${code}`);
    await first?.getByText('Pick up where any agent left off').waitFor();

    const second = await page.context().browser()?.newPage();
    await second?.goto(`${server.url}/#code=${code}`);

    await second?.getByLabel('Token').waitFor();
    await first?.context().close();
    await second?.context().close();
  });
});
