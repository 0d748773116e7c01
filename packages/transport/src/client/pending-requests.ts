import { RemoteError } from './remote-error.ts';

interface Waiting<Value> {
  readonly resolve: (value: Value) => void;
  readonly reject: (error: Error) => void;
}

/** Pending requests by the id of their reply. */
export class PendingRequests<Value> {
  readonly #waiting = new Map<string, Waiting<Value>>();

  wait(id: string): Promise<Value> {
    return new Promise((resolve, reject) => this.#waiting.set(id, { resolve, reject }));
  }

  has(id: string): boolean {
    return this.#waiting.has(id);
  }

  resolve(id: string, value: Value): void {
    this.#take(id)?.resolve(value);
  }

  reject(id: string, error: Error): void {
    this.#take(id)?.reject(error);
  }

  rejectExcept(kept: ReadonlySet<string | undefined>, code: string, message: string): void {
    for (const id of [...this.#waiting.keys()]) {
      if (!kept.has(id)) this.reject(id, new RemoteError(code, message));
    }
  }

  #take(id: string): Waiting<Value> | undefined {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    return waiting;
  }
}
