import { realpath } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { McpTools } from '@robota-sdk/agent-tools';
import type { ExtensionContext, PreparedPrompt } from '../assembly/session-extension.ts';
import { explainReading } from '../references/read-refusal.ts';

const MENTION = /(?<=^|[\s([{])@([\w.-]+):([a-z][\w+.-]*:[^\s"'`<>]+)/gi;
const MAX_RESOURCES = 8;
const MAX_CHARACTERS = 64 * 1024;

/** Attaches resources that a prompt mentions as `@server:uri`. Read rules apply to `file:` resources. */
export async function withResources(
  prompt: PreparedPrompt,
  servers: readonly McpTools[],
  context: ExtensionContext,
): Promise<PreparedPrompt> {
  const { notice } = context;
  const mentioned = [...prompt.input.matchAll(MENTION)].flatMap(([, name, written = '']) => {
    const server = servers.find(({ serverName }) => serverName === name);
    return server ? [{ server, uri: written.replace(/[.,;:!?)\]]+$/, '') }] : [];
  });
  const texts: string[] = [];
  for (const { server, uri } of mentioned.slice(0, MAX_RESOURCES)) {
    try {
      await assertReadable(uri, context);
      texts.push(describe(server.serverName, uri, await server.readResource(uri)));
    } catch (error) {
      notice(`Reference @${server.serverName}:${uri}: ${(error as Error).message}`);
    }
  }
  if (texts.length === 0) return prompt;
  const block = ['<mcp_resources>', ...texts, '</mcp_resources>'].join('\n');
  return { ...prompt, input: `${prompt.input}\n\n${block}` };
}

/** A server reads files itself, so a file that our tools may not read is not requested from it. */
async function assertReadable(uri: string, context: ExtensionContext): Promise<void> {
  if (!/^file:/i.test(uri)) return;
  const path = fileURLToPath(uri);
  const real = await realpath(path).catch(() => path);
  const { decision, reason } = await explainReading(real, context);
  if (decision === 'deny') throw new Error(reason);
}

function describe(server: string, uri: string, text: string): string {
  const cut = text.length > MAX_CHARACTERS ? `${text.slice(0, MAX_CHARACTERS)}\n[cut]` : text;
  return `<resource server="${server}" uri="${uri}">\n${cut}\n</resource>`;
}
