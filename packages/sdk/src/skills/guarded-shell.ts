import { type PermissionExplanation, runHooks, type ToolSandbox } from '@robota-sdk/agent-core';
import type { LocalRunOptions } from '@robota-sdk/agent-tools';
import type { ExtensionContext } from '../assembly/session-extension.ts';

const TIMEOUT_MS = 5_000;
const OUTPUT_BYTES = 30_000;

/** Runs commands of skill files under the rules, hooks and approvals that apply to the model's Bash calls. */
export class GuardedShell {
  readonly #context: ExtensionContext;
  readonly #sandbox: ToolSandbox;
  readonly #granted: string[] = [];

  constructor(context: ExtensionContext, sandbox: ToolSandbox) {
    this.#context = context;
    this.#sandbox = sandbox;
  }

  /** The output of the command; a refusal or failure is described in brackets. */
  async run(command: string, signal: AbortSignal): Promise<string> {
    const admitted = await this.#admit(command, signal);
    if (typeof admitted === 'string') return `[not run: ${command}: ${admitted}]`;
    const options: LocalRunOptions = {
      timeoutMs: TIMEOUT_MS,
      workingDirectory: this.#context.cwd,
      signal,
      outputLimitBytes: OUTPUT_BYTES,
      unasked: admitted.run && { confine: admitted.run.confine },
    };
    // Without approval by a user, the judged rendering of the command runs, not the original text.
    const text = admitted.run?.command ?? command;
    const { stdout, stderr, exitCode, timedOut } = await this.#sandbox.run(text, options);
    if (timedOut) return `[${command} gave no result within ${TIMEOUT_MS} ms]`;
    if (exitCode === 0) return stdout.trimEnd();
    return `${stdout}${stderr}`.trimEnd().concat(`\n[${command} ended with exit code ${exitCode}]`);
  }

  /** The reason for a refusal, or how the command must run. */
  async #admit(
    command: string,
    signal: AbortSignal,
  ): Promise<string | Pick<PermissionExplanation, 'run'>> {
    const blocked = await this.#askHooks(command, signal);
    if (blocked !== undefined) return blocked;
    const explanation = await this.#judge(command);
    if (explanation.decision === 'auto') return explanation;
    if (explanation.decision === 'deny') return explanation.reason;
    return (await this.#askUser(command, explanation, signal)) ?? {};
  }

  async #judge(command: string): Promise<PermissionExplanation> {
    const { explainPermission } = await import('@robota-sdk/agent-core/permissions');
    const { session, permissions } = this.#context.ready();
    const allow = [
      ...(permissions.allow ?? []),
      ...session.getSessionAllowedTools(),
      ...this.#granted,
    ];
    return explainPermission('Bash', { command }, session.getPermissionMode(), {
      ...permissions,
      allow,
      cwd: this.#context.cwd,
    });
  }

  async #askHooks(command: string, signal: AbortSignal): Promise<string | undefined> {
    const { hooks, hookTypeExecutors, session } = this.#context.ready();
    const { sessionId, cwd } = this.#context;
    const input = {
      session_id: sessionId,
      cwd,
      hook_event_name: 'PreToolUse' as const,
      permission_mode: session.getPermissionMode(),
      tool_name: 'Bash',
      tool_input: { command },
    };
    const outcome = await runHooks(hooks, 'PreToolUse', input, {
      executors: hookTypeExecutors,
      signal,
    });
    if (!outcome.blocked && outcome.permissionDecision !== 'deny') return undefined;
    return outcome.reason ?? outcome.permissionDecisionReason ?? 'blocked by a hook';
  }

  async #askUser(
    command: string,
    explanation: PermissionExplanation,
    signal: AbortSignal,
  ): Promise<string | undefined> {
    const request = { explanation, signal };
    const answer = await this.#context.askPermission('Bash', { command }, request);
    if (answer === true) return undefined;
    if (answer === 'allow-session') this.#granted.push('Bash');
    else if (typeof answer === 'object' && 'pattern' in answer) this.#granted.push(answer.pattern);
    else if (typeof answer === 'object' && 'deny' in answer) return answer.deny;
    // An answer with a changed command counts as a refusal: a skill's command runs only as its author wrote it.
    else return 'the user did not approve it';
    return undefined;
  }
}
