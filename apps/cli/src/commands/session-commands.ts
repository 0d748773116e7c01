import type { SystemCommand } from '@robota-sdk/agent-sdk';

/** Session commands that need the renderers or the catalogue of this program. Loaded when used. */
export function sessionCommands(): SystemCommand[] {
  return [
    {
      name: 'export',
      description: 'Write the conversation to a file: .md, .html or .json',
      async execute(session, args) {
        const { exportConversation } = await import('./export-conversation.ts');
        return exportConversation(session, args);
      },
    },
    {
      name: 'usage',
      description: 'Show recent model usage and cost, for every agent',
      async execute() {
        const { recentUsage } = await import('./usage/recent-usage.ts');
        return recentUsage();
      },
    },
  ];
}
