import type { HooksConfig, Tool } from '@robota-sdk/agent-core';
import type { McpServerSetting } from '../config/settings.ts';
import type { Skill, SkillInCode } from '../skills/skill.ts';
import type { AgentDefinition } from '../subagents/agent-definition.ts';

/** What a plugin says about itself. */
export interface BundlePluginManifest {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly author?: string | { readonly name: string; readonly email?: string };
  readonly keywords?: readonly string[];
  readonly homepage?: string;
  readonly license?: string;
}

/** A plugin that a program brings; it lies nowhere, and what it leaves out it does not have. */
export interface PluginInCode
  extends Partial<Omit<LoadedBundlePlugin, 'manifest' | 'problems' | 'skills' | 'commands'>> {
  readonly manifest: BundlePluginManifest;
  readonly skills?: readonly SkillInCode[];
  readonly commands?: readonly SkillInCode[];
}

/** A plugin with everything it brings. */
export interface LoadedBundlePlugin {
  readonly manifest: BundlePluginManifest;
  /** Where it lies; nothing it names may lie elsewhere. */
  readonly directory: string;
  readonly skills: readonly Skill[];
  readonly commands: readonly Skill[];
  readonly agents: readonly AgentDefinition[];
  readonly hooks: HooksConfig;
  readonly mcpServers: Readonly<Record<string, McpServerSetting>>;
  readonly tools: readonly Tool[];
  readonly permissions: { readonly allow: readonly string[]; readonly deny: readonly string[] };
  readonly systemPrompt?: string;
  /** Parts that could not be read, and why; the rest works. */
  readonly problems: readonly string[];
}
