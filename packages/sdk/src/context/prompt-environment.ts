/** Facts about the machine for the system prompt. */
export interface PromptEnvironment {
  /** Local date, such as 2026-01-31. */
  readonly date: string;
  readonly platform: string;
}

export function currentEnvironment(now = new Date()): PromptEnvironment {
  const day = [now.getFullYear(), now.getMonth() + 1, now.getDate()];
  const date = day.map((part) => String(part).padStart(2, '0')).join('-');
  return { date, platform: `${process.platform} (${process.arch})` };
}

export function describeEnvironment({ date, platform }: PromptEnvironment): string {
  return `Date: ${date}\nPlatform: ${platform}`;
}
