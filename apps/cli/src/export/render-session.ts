import { jsonText } from '../output.ts';
import type { ExportedSession, ExportFormat } from './exported-session.ts';
import { renderMarkdown } from './render-markdown.ts';

/** A session as the text of a file. */
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
      // What draws the page is loaded only for this.
      const { renderHtml } = await import('./render-html.ts');
      return renderHtml(session);
    }
  }
}
