/** Work that goes on while the conversation does, as it is shown and as it is kept in the record. */
export interface BackgroundTask {
  readonly id: string;
  readonly kind: 'agent' | 'process';
  readonly label: string;
  /** The command, or what the agent was asked. */
  readonly input: string;
  readonly status: BackgroundTaskStatus;
  /** ISO 8601, UTC. */
  readonly createdAt: string;
  readonly startedAt?: string;
  readonly endedAt?: string;
  readonly exitCode?: number | null;
  /** What an agent reported. */
  readonly result?: string;
  readonly error?: string;
  readonly agentId?: string;
}

/** How a background task stands. */
export type BackgroundTaskStatus = 'queued' | 'running' | 'completed' | 'failed' | 'cancelled';

/** How a task came to its end. */
export type BackgroundTaskEnd = Pick<
  BackgroundTask,
  'exitCode' | 'result' | 'error' | 'agentId'
> & {
  readonly status: 'completed' | 'failed' | 'cancelled';
};

/** One line of a task's life, for the record. */
export interface BackgroundTaskEvent {
  readonly taskId: string;
  readonly type: BackgroundTaskStatus;
  readonly at: string;
}
