import { expandModelAlias } from '@robota-sdk/agent-core';
import { isPermissionMode, PERMISSION_MODES } from '../config/permission-modes.ts';
import { createRewindCommands } from './rewind-commands.ts';
import { showCost } from './show-cost.ts';
import type { CommandResult, SystemCommand } from './system-command.ts';

/** The built-in commands. */
export function createSystemCommands(): SystemCommand[] {
  return [
    help,
    clear,
    compact,
    mode,
    model,
    language,
    { name: 'cost', description: 'Show session, messages, tokens and money', execute: showCost },
    context,
    permissions,
    resume,
    rename,
    ...createRewindCommands(),
    reset,
  ];
}

const help: SystemCommand = {
  name: 'help',
  description: 'Show available commands',
  execute(session) {
    const commands = session.listCommands();
    const lines = commands.map(({ name, description }) => `  ${name} - ${description}`);
    return done(['Available commands:', ...lines].join('\n'), { commands });
  },
};

const clear: SystemCommand = {
  name: 'clear',
  description: 'Clear conversation history',
  async execute(session) {
    await session.clearHistory();
    return done('Conversation cleared.');
  },
};

const compact: SystemCommand = {
  name: 'compact',
  description: 'Compress context window (optional focus instructions)',
  async execute(session, args) {
    const before = session.getContextState().usedPercentage;
    await session.compact(args || undefined);
    const after = session.getContextState().usedPercentage;
    return done(`Context compacted: ${Math.round(before)}% -> ${Math.round(after)}%`, {
      before,
      after,
    });
  },
};

const mode: SystemCommand = {
  name: 'mode',
  description: 'Show or change permission mode',
  execute(session, args) {
    if (args === '') {
      const current = session.getPermissionMode();
      return done(`Current mode: ${current}`, { mode: current });
    }
    if (!isPermissionMode(args)) {
      return refused(`Invalid mode. Valid: ${PERMISSION_MODES.join(' | ')}`);
    }
    session.setPermissionMode(args);
    return done(`Permission mode set to: ${args}`, { mode: args });
  },
};

const model: SystemCommand = {
  name: 'model',
  description: 'Change AI model',
  execute(_session, args) {
    if (args === '') return refused('Usage: model <model-id>');
    return done(`Model change requested: ${args}`, { modelId: expandModelAlias(args) });
  },
};

const language: SystemCommand = {
  name: 'language',
  description: 'Set response language',
  execute(_session, args) {
    if (args === '') return refused('Usage: language <code> (e.g., ko, en, ja, zh)');
    return done(`Language set to "${args}".`, { language: args });
  },
};

const context: SystemCommand = {
  name: 'context',
  description: 'Show context window usage',
  execute(session) {
    const { usedTokens, maxTokens, usedPercentage } = session.getContextState();
    const percentage = Math.round(usedPercentage);
    const tokens = `${grouped(usedTokens)} / ${grouped(maxTokens)}`;
    return done(`Context: ${tokens} tokens (${percentage}%)`, {
      usedTokens,
      maxTokens,
      percentage: usedPercentage,
    });
  },
};

const permissions: SystemCommand = {
  name: 'permissions',
  description: 'Show permission mode and session-approved tools',
  execute(session) {
    const current = session.getPermissionMode();
    const sessionAllowed = session.getSessionAllowedTools();
    const approved =
      sessionAllowed.length > 0
        ? `Session-approved tools: ${sessionAllowed.join(', ')}`
        : 'No session-approved tools.';
    return done(`Permission mode: ${current}\n${approved}`, { mode: current, sessionAllowed });
  },
};

const resume: SystemCommand = {
  name: 'resume',
  description: 'Resume a previous session',
  execute: () => done('Opening session picker...', { triggerResumePicker: true }),
};

const rename: SystemCommand = {
  name: 'rename',
  description: 'Rename the session',
  execute(_session, args) {
    if (args === '') return refused('Usage: rename <name>');
    return done(`Session renamed to "${args}".`, { name: args });
  },
};

const reset: SystemCommand = {
  name: 'reset',
  description: 'Delete settings and exit',
  execute: () => done('Reset requested.', { resetRequested: true }),
};

function done(message: string, data?: Readonly<Record<string, unknown>>): CommandResult {
  return { message, success: true, ...(data && { data }) };
}

function refused(message: string): CommandResult {
  return { message, success: false };
}

function grouped(count: number): string {
  return count.toLocaleString('en-US');
}
