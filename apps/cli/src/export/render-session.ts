import { jsonText } from '../output.ts';
import type { ExportedSession, ExportFormat } from './exported-session.ts';
import { renderMarkdown } from './render-markdown.ts';

/** Renders a session in a file format. */
export async function renderSession(
  session: ExportedSession,
  format: ExportFormat,
): Promise<string> {
  switch (format) {
    case 'md':
      return renderMarkdown(session);
    case 'json':
      return `${jsonText(session, 2)}\n`;
    case 'html': {
      // The page renderer is loaded only for HTML.
      const { renderHtml } = await import('./render-html.ts');
      return renderHtml(session);
    }
  }
}
