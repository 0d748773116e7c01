import type { PermissionMode, ToolSchema } from '@robota-sdk/agent-core';
import type { ProjectContext } from './load-context.ts';
import type { ProjectKind } from './project-kind.ts';
import { describeEnvironment, type PromptEnvironment } from './prompt-environment.ts';

export interface SystemPromptParts {
  readonly cwd: string;
  readonly context: ProjectContext;
  readonly environment?: PromptEnvironment | undefined;
  readonly permissionMode: PermissionMode;
  readonly tools: readonly ToolSchema[];
  readonly language?: string | undefined;
  /** The provider searches the web itself, as a tool of its server. */
  readonly hasServerWebSearch?: boolean;
  /** Whole sections, heading included, that extensions add. */
  readonly extraSections?: readonly string[];
  readonly append?: string | undefined;
}

/** Writes the system prompt. Equal parts give equal text, so that a vendor's prompt cache holds. */
export function buildSystemPrompt(parts: SystemPromptParts): string {
  const { context, cwd } = parts;
  return [
    section('Role', [ROLE, languageLine(parts.language)].filter(Boolean).join('\n')),
    section('Working Directory', cwd),
    section('Environment', parts.environment && describeEnvironment(parts.environment)),
    section('Current Project', describeProject(context.project)),
    section('Permission Mode', MODES[parts.permissionMode]),
    section('Agent Instructions', context.agentsMd),
    section('Project Notes', context.claudeMd),
    section('Web Search', parts.hasServerWebSearch ? WEB_SEARCH : ''),
    section('Available Tools', parts.tools.map(describeTool).join('\n')),
    ...(parts.extraSections ?? []),
    parts.append ?? '',
  ]
    .filter((text) => text.trim() !== '')
    .join('\n\n');
}

const ROLE =
  'You are Robota, an agent that helps with software and files. Use the tools to find out instead of guessing, and say plainly what you did and what did not work.';

const WEB_SEARCH =
  'When the user asks to search the web, or the answer depends on recent facts, you must use the web_search tool.';

const MODES: Readonly<Record<PermissionMode, string>> = {
  plan: 'plan: read only. Nothing may be written or run; propose a plan instead.',
  default: 'default: reading is free; writing and running commands needs the approval of the user.',
  acceptEdits:
    'acceptEdits: files may be written; running commands needs the approval of the user.',
  bypassPermissions: 'bypassPermissions: every tool may be used without asking.',
};

function languageLine(language: string | undefined): string {
  return language
    ? `Always respond in ${language}. Code, commands and file names stay as they are.`
    : '';
}

function section(heading: string, body: string | undefined): string {
  return body?.trim() ? `## ${heading}\n${body.trim()}` : '';
}

function describeProject(project: ProjectKind | undefined): string {
  if (!project || project.type === 'unknown') return '';
  return [
    project.name && `Name: ${project.name}`,
    `Type: ${project.type}`,
    project.language && `Language: ${project.language}`,
    project.packageManager && `Package manager: ${project.packageManager}`,
  ]
    .filter(Boolean)
    .join('\n');
}

/** The first sentence: the whole description reaches the model with the tool's schema. */
function describeTool(tool: ToolSchema): string {
  const sentence = /^[^\n]*?[.!?](?=\s|$)/.exec(tool.description)?.[0];
  return `- ${tool.name}: ${sentence ?? tool.description.split('\n')[0] ?? ''}`;
}
