import { type ConversationBlock, neutraliseEscapes } from '@robota-sdk/agent-transcript';
import { conversationTexts, type WrittenBlock } from './block-text.ts';
import { type ExportedSession, exportTitle } from './exported-session.ts';

export function renderMarkdown(session: ExportedSession): string {
  const facts = [
    `- Session: \`${session.id}\``,
    `- Agent: ${session.agent}`,
    ...(session.cwd ? [`- Directory: \`${session.cwd}\``] : []),
    ...(session.updatedAt ? [`- Last activity: ${session.updatedAt}`] : []),
  ];
  const threads = session.subagents.flatMap((thread) => [
    `## Subagent ${thread.id}`,
    ...conversationTexts(thread.blocks).map(renderBlock),
  ]);
  const body = [
    `# ${exportTitle(session)}`,
    facts.join('\n'),
    ...conversationTexts(session.blocks).map(renderBlock),
    ...threads,
  ];
  return neutraliseEscapes(`${body.join('\n\n')}\n`);
}

/** Renders a part of a conversation, without a header. */
export function renderBlocks(blocks: readonly ConversationBlock[]): string {
  return neutraliseEscapes(conversationTexts(blocks).map(renderBlock).join('\n\n'));
}

function renderBlock({ heading, kind, text }: WrittenBlock): string {
  if (text === '') return `### ${heading}`;
  if (kind === 'code') return `### ${heading}\n\n${fenced(text, '')}`;
  if (kind === 'diff') return `### ${heading}\n\n${fenced(text, 'diff')}`;
  if (kind === 'note')
    return `### ${heading}\n\n${text
      .split('\n')
      .map((line) => `> ${line}`)
      .join('\n')}`;
  return `### ${heading}\n\n${text}`;
}

/** A fence longer than any run of backticks inside, so that the text cannot end it. */
function fenced(text: string, language: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map((run) => run[0].length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${text}\n${fence}`;
}
