import type { SystemCommand } from '@robota-sdk/agent-sdk';

/** Commands of a session that need what only the program has: renderers and the catalogue. Loaded when used. */
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
