import { type ConversationBlock, neutraliseEscapes } from '@robota-sdk/agent-transcript';
import { type BlockText, conversationTexts } from './block-text.ts';
import { escapeHtml } from './escape-html.ts';
import { type ExportedSession, exportTitle } from './exported-session.ts';
import { markdownToHtml } from './markdown-to-html.ts';

const STYLE = `
:root { color-scheme: light dark; --line: #8884; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 52rem; margin: 2rem auto; padding: 0 1rem; }
section { border-top: 1px solid var(--line); padding: .75rem 0; }
h2 { font-size: .8rem; margin: 0 0 .25rem; opacity: .7; text-transform: uppercase; letter-spacing: .04em; }
p, pre { margin: 0; white-space: pre-wrap; overflow-wrap: anywhere; }
pre { font: 13px/1.45 ui-monospace, monospace; background: #8881; padding: .5rem; border-radius: 4px; }
.note { opacity: .75; }
.words > * { margin: 0 0 .6rem; white-space: normal; }
.words pre { white-space: pre-wrap; }
.words table { border-collapse: collapse; }
.words td, .words th { border: 1px solid var(--line); padding: .2rem .5rem; }
ins, del { text-decoration: none; display: inline-block; min-width: 100%; }
ins { background: #2da44e33; }
del { background: #cf222e33; }
`;

/** One self-contained page: no script, nothing loaded from elsewhere. */
export function renderHtml(session: ExportedSession): string {
  const title = escapeHtml(exportTitle(session));
  const threads = session.subagents
    .map((thread) => `<h1>Subagent ${escapeHtml(thread.id)}</h1>\n${sections(thread.blocks)}`)
    .join('\n');
  return neutraliseEscapes(`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${STYLE}</style>
</head>
<body>
<h1>${title}</h1>
<p class="note">${escapeHtml(facts(session))}</p>
${sections(session.blocks)}
${threads}
</body>
</html>
`);
}

function facts(session: ExportedSession): string {
  return [session.agent, session.id, session.cwd, session.updatedAt].filter(Boolean).join(' · ');
}

function sections(blocks: readonly ConversationBlock[]): string {
  return conversationTexts(blocks).map(section).join('\n');
}

function section({ heading, kind, text }: BlockText): string {
  const title = `<h2>${escapeHtml(heading)}</h2>`;
  return `<section class="${kind}">${title}${bodyOf(kind, text)}</section>`;
}

function bodyOf(kind: BlockText['kind'], text: string): string {
  if (text === '') return '';
  switch (kind) {
    case 'prose':
      return `<div class="words">${markdownToHtml(text)}</div>`;
    case 'code':
      return `<pre>${escapeHtml(text)}</pre>`;
    case 'diff':
      return `<pre>${text.split('\n').map(diffLine).join('\n')}</pre>`;
    case 'note':
      return `<p>${escapeHtml(text)}</p>`;
  }
}

function diffLine(line: string): string {
  if (line.startsWith('+')) return `<ins>${escapeHtml(line)}</ins>`;
  return line.startsWith('-') ? `<del>${escapeHtml(line)}</del>` : escapeHtml(line);
}
