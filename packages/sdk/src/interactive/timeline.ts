import { randomUUID } from 'node:crypto';
import {
  createAssistantMessage,
  createSystemMessage,
  createUserMessage,
  getMessagesForAPI,
  type HistoryEntry,
  type Message,
  messageToHistoryEntry,
} from '@robota-sdk/agent-core';
import { summarizeTool, type ToolState } from './tool-state.ts';

/** What a person is shown: what was said and what happened, in order. Entries are never changed afterwards. */
export class Timeline {
  #entries: HistoryEntry[] = [];

  addUser(content: string): void {
    this.#entries.push(messageToHistoryEntry(createUserMessage(content)));
  }

  addAssistant(content: string, state: 'complete' | 'interrupted' = 'complete'): void {
    this.#entries.push(messageToHistoryEntry(createAssistantMessage(content, { state })));
  }

  addSystem(content: string): void {
    this.#entries.push(messageToHistoryEntry(createSystemMessage(content)));
  }

  addEvent(type: string, data: unknown): void {
    this.#entries.push({ id: randomUUID(), timestamp: new Date(), category: 'event', type, data });
  }

  addToolSummary(tools: readonly ToolState[]): void {
    this.addEvent('tool-summary', {
      toolSummaries: tools.map(summarizeTool),
      tools,
      summary: tools.map((tool) => `${tool.toolName}(${tool.firstArg})`).join('\n'),
    });
  }

  add(entry: HistoryEntry): void {
    this.#entries.push(entry);
  }

  messages(): Message[] {
    return getMessagesForAPI(this.#entries);
  }

  /** A copy, so that what a caller keeps does not change under it. */
  entries(): HistoryEntry[] {
    return [...this.#entries];
  }

  /** The live array, for the store, which writes only what is new. */
  live(): HistoryEntry[] {
    return this.#entries;
  }

  restore(entries: readonly HistoryEntry[]): void {
    this.#entries = [...entries];
  }

  clear(): void {
    this.#entries = [];
  }
}
