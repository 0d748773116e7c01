import { writeFile } from 'node:fs/promises';
import { extname, resolve } from 'node:path';
import { type CommandResult, type InteractiveSession, redact } from '@robota-sdk/agent-sdk';
import { EXPORT_FORMATS } from '../export/exported-session.ts';
import { renderSession } from '../export/render-session.ts';

/** `/export [file]`: the current conversation with secrets redacted. */
export async function exportConversation(
  session: InteractiveSession,
  args: string,
): Promise<CommandResult> {
  const name = args || `robota-${session.sessionId.slice(0, 8)}.md`;
  const format = EXPORT_FORMATS.find((candidate) => extname(name) === `.${candidate}`);
  if (!format) {
    const endings = EXPORT_FORMATS.map((each) => `.${each}`).join(', ');
    return { success: false, message: `The name of the file must end in one of ${endings}.` };
  }
  const cwd = session.getCwd() ?? process.cwd();
  const { blocks, subagents, superseded } = session.getConversation();
  const exported = redact({
    id: session.sessionId,
    agent: 'robota',
    name: session.getName(),
    cwd,
    updatedAt: new Date().toISOString(),
    blocks,
    subagents,
    superseded,
  });
  const file = resolve(cwd, name);
  try {
    // Readable only by the user; never overwrites an existing file.
    await writeFile(file, await renderSession(exported, format), { mode: 0o600, flag: 'wx' });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const why = code === 'EEXIST' ? 'it is there already; name another' : message;
    return { success: false, message: `${file} was not written: ${why}.` };
  }
  return { success: true, message: `Written to ${file}`, data: { file } };
}
