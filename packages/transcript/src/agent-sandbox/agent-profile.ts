/** Configures an agent: instructions, skills, subagents, commands and tools, for any agent program. */
export interface AgentProfile {
  readonly id: string;
  readonly name: string;
  readonly description?: string;
  /** The text of CLAUDE.md, GEMINI.md or AGENTS.md. */
  readonly agentMDFile?: string;
  /** Added to the program's own system prompt if it supports that, else to the instructions. */
  readonly systemPrompt?: string;
  readonly skills?: readonly ProfileSkill[];
  readonly subagents?: readonly ProfileSubagent[];
  readonly commands?: readonly ProfileCommand[];
  readonly mcpServers?: readonly ProfileMcpServer[];
  readonly environmentVariables?: Readonly<Record<string, string>>;
  /** Written to a new workspace unless a file of that name exists. */
  readonly defaultWorkspaceFiles?: readonly { readonly path: string; readonly content: string }[];
}

/** A skill of a profile. */
export interface ProfileSkill {
  readonly name: string;
  readonly description: string;
  /** The body of SKILL.md; existing front matter is kept. */
  readonly skillMd: string;
  readonly supportingFiles?: readonly {
    readonly relativePath: string;
    readonly content: string;
  }[];
}

/** A subagent of a profile. */
export interface ProfileSubagent {
  readonly name: string;
  readonly description: string;
  readonly prompt: string;
  readonly model?: string;
  readonly tools?: readonly string[];
}

/** A slash command of a profile. */
export interface ProfileCommand {
  readonly name: string;
  readonly description?: string;
  readonly prompt: string;
}

/** An MCP server of a profile. */
export type ProfileMcpServer =
  | {
      readonly name: string;
      readonly command: string;
      readonly args?: readonly string[];
      readonly env?: Readonly<Record<string, string>>;
    }
  | {
      readonly name: string;
      readonly url: string;
      readonly headers?: Readonly<Record<string, string>>;
    };
