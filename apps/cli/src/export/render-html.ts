import type { ConversationBlock } from '@robota-sdk/agent-transcript';
import { blockText } from './block-text.ts';
import { type ExportedSession, exportTitle } from './exported-session.ts';

const STYLE = `
:root { color-scheme: light dark; --line: #8884; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 52rem; margin: 2rem auto; padding: 0 1rem; }
section { border-top: 1px solid var(--line); padding: .75rem 0; }
h2 { font-size: .8rem; margin: 0 0 .25rem; opacity: .7; text-transform: uppercase; letter-spacing: .04em; }
p, pre { margin: 0; white-space: pre-wrap; overflow-wrap: anywhere; }
pre { font: 13px/1.45 ui-monospace, monospace; background: #8881; padding: .5rem; border-radius: 4px; }
.note { opacity: .75; }
`;

/** One self-contained page: no script, nothing loaded from elsewhere. */
export function renderHtml(session: ExportedSession): string {
  const title = escapeHtml(exportTitle(session));
  const threads = session.subagents
    .map((thread) => `<h1>Subagent ${escapeHtml(thread.id)}</h1>\n${sections(thread.blocks)}`)
    .join('\n');
  return `<!doctype html>
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
`;
}

function facts(session: ExportedSession): string {
  return [session.agent, session.id, session.cwd, session.updatedAt].filter(Boolean).join(' · ');
}

function sections(blocks: readonly ConversationBlock[]): string {
  return blocks.map(section).join('\n');
}

function section(block: ConversationBlock): string {
  const { heading, kind, text } = blockText(block);
  const element = kind === 'code' ? 'pre' : 'p';
  return `<section class="${kind}"><h2>${escapeHtml(heading)}</h2><${element}>${escapeHtml(text)}</${element}></section>`;
}

function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
