import { asId, asRecord, asString, compact, type JsonRecord } from '../../json-record.ts';
import type { TaskReport } from './claude-record.ts';

/** Tracks background tasks; only those report into the conversation. */
export class LiveTasks {
  readonly #background = new Set<string>();

  read(event: JsonRecord): void {
    const taskId = asId(event.task_id);
    if (taskId === undefined) return;
    const isBackground =
      event.is_backgrounded === true || asRecord(event.patch).is_backgrounded === true;
    if (isBackground) this.#background.add(taskId);
  }

  isInBackground(taskId: string): boolean {
    return this.#background.has(taskId);
  }
}

export function taskReportOf(event: JsonRecord): TaskReport | undefined {
  const taskId = asId(event.task_id);
  if (event.subtype !== 'task_notification' || taskId === undefined) return undefined;
  return compact({
    taskId,
    toolUseId: asString(event.tool_use_id),
    status: asString(event.status) ?? 'completed',
    summary: asString(event.summary) ?? `Task ${taskId} ended`,
  });
}
