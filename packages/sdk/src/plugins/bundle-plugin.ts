import type { HooksConfig, Tool } from '@robota-sdk/agent-core';
import type { McpServerSetting } from '../config/settings.ts';
import type { Skill, SkillInCode } from '../skills/skill.ts';
import type { AgentDefinition } from '../subagents/agent-definition.ts';

/** The metadata of a plugin. */
export interface BundlePluginManifest {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly author?: string | { readonly name: string; readonly email?: string };
  readonly keywords?: readonly string[];
  readonly homepage?: string;
  readonly license?: string;
}

/** A plugin given in code; it has no directory, and omitted parts are empty. */
export interface PluginInCode
  extends Partial<Omit<LoadedBundlePlugin, 'manifest' | 'problems' | 'skills' | 'commands'>> {
  readonly manifest: BundlePluginManifest;
  readonly skills?: readonly SkillInCode[];
  readonly commands?: readonly SkillInCode[];
}

/** A plugin with all its parts. */
export interface LoadedBundlePlugin {
  readonly manifest: BundlePluginManifest;
  /** Its directory; nothing it refers to may be outside. */
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
