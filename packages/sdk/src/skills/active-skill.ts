import { explainPermission, type HookInput, type HooksConfig } from '@robota-sdk/agent-core';
import type { ExtensionContext } from '../assembly/session-extension.ts';
import { resolveSubagentModel } from '../subagents/subagent-model.ts';
import type { Skill } from './skill.ts';

/**
 * The skill at work in the conversation itself. Until the turn ends the model is the skill's, and calls its
 * `allowed-tools` cover need no approval; deny and ask rules still count.
 */
export class ActiveSkill {
  readonly #context: ExtensionContext;
  #rules: readonly string[] = [];
  /** Chosen by a person; it begins with the prompt that follows. */
  #waiting: Skill | undefined;
  #modelBefore: string | undefined;

  constructor(context: ExtensionContext) {
    this.#context = context;
  }

  /** The prompt submitted next is this skill's. */
  awaitPrompt(skill: Skill): void {
    this.#waiting = skill;
  }

  begin(skill: Skill): void {
    const { scope, allowedRules = [], model } = skill;
    // A stranger's file must not grant itself anything.
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

  /** Turns begin and end where hooks hear of it. */
  hooks(): HooksConfig {
    const own = (run: (input: HookInput) => string | undefined) => ({
      hooks: [
        {
          type: 'function' as const,
          run: (input: HookInput) => {
            if (input.session_id !== this.#context.sessionId) return { exitCode: 0 };
            return { exitCode: 0, stdout: run(input) ?? '' };
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
    if (this.#waiting) this.begin(this.#waiting);
    this.#waiting = undefined;
  }

  #judge({ tool_name = '', tool_input = {} }: HookInput): string | undefined {
    if (this.#rules.length === 0) return undefined;
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
