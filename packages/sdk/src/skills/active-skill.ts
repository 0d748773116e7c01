import type { HookInput, HooksConfig } from '@robota-sdk/agent-core';
import type { ExtensionContext } from '../assembly/session-extension.ts';
import { resolveSubagentModel } from '../subagents/subagent-model.ts';
import type { Skill } from './skill.ts';

/**
 * The skill active in the conversation itself. Until the turn ends its model is used, and calls covered by its
 * `allowed-tools` need no approval; deny and ask rules still apply.
 */
export class ActiveSkill {
  readonly #context: ExtensionContext;
  #rules: readonly string[] = [];
  /** Invoked by a user; it becomes active with the next prompt. */
  #pending: Skill | undefined;
  #modelBefore: string | undefined;

  constructor(context: ExtensionContext) {
    this.#context = context;
  }

  /** The next submitted prompt belongs to this skill. */
  awaitPrompt(skill: Skill): void {
    this.#pending = skill;
  }

  begin(skill: Skill): void {
    const { scope, allowedRules = [], model } = skill;
    // An untrusted project file must not grant itself permissions.
    if (scope === 'project' && !this.#context.trusted) return;
    this.#rules = [...this.#rules, ...allowedRules];
    if (model !== undefined) this.#useModel(model);
  }

  end(): void {
    this.#rules = [];
    if (this.#modelBefore === undefined) return;
    this.#context.ready().session.setModel?.(this.#modelBefore);
    this.#modelBefore = undefined;
  }

  /** Hooks mark the start and the end of a turn. */
  hooks(): HooksConfig {
    const own = (run: (input: HookInput) => Promise<string | undefined> | undefined) => ({
      hooks: [
        {
          type: 'function' as const,
          run: async (input: HookInput) => {
            if (input.session_id !== this.#context.sessionId) return { exitCode: 0 };
            return { exitCode: 0, stdout: (await run(input)) ?? '' };
          },
        },
      ],
    });
    const ends = own(() => void this.end());
    return {
      UserPromptSubmit: [own(() => void this.#beginTurn())],
      PreToolUse: [own((input) => this.#judge(input))],
      Stop: [ends],
      StopFailure: [ends],
    };
  }

  #beginTurn(): void {
    this.end();
    if (this.#pending) this.begin(this.#pending);
    this.#pending = undefined;
  }

  async #judge({ tool_name = '', tool_input = {} }: HookInput): Promise<string | undefined> {
    if (this.#rules.length === 0) return undefined;
    const { explainPermission } = await import('@robota-sdk/agent-core/permissions');
    const { session, permissions } = this.#context.ready();
    const { rule } = explainPermission(tool_name, tool_input, session.getPermissionMode(), {
      ...permissions,
      allow: this.#rules,
      cwd: this.#context.cwd,
    });
    if (rule === undefined || !this.#rules.includes(rule)) return undefined;
    const hookSpecificOutput = { hookEventName: 'PreToolUse', permissionDecision: 'allow' };
    return JSON.stringify({ hookSpecificOutput });
  }

  #useModel(wanted: string): void {
    const { provider, notice } = this.#context;
    const { session } = this.#context.ready();
    const before = session.getModel?.();
    const resolved = resolveSubagentModel({ wanted, parentModel: before, provider });
    if (resolved.notice) notice(resolved.notice);
    if (resolved.model === undefined || resolved.model === before) return;
    this.#modelBefore ??= before;
    session.setModel?.(resolved.model);
  }
}
