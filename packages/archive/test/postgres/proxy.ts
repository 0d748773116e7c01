import { connect, createServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/** Stands between a node and its database, and can cut or silence what goes through it. */
export interface Proxy {
  /** The database through the proxy. */
  readonly url: string;
  /** Ends every connection that is open. */
  cut(): void;
  /** Ends the next new connection as soon as the server has answered so many times. */
  cutNext(answers: number): void;
  /** From now on nothing gets through, and nobody is told. */
  silence(): void;
  /** New connections get through again; silenced ones end. */
  restore(): void;
}

export async function openProxy(database: string): Promise<Proxy> {
  const target = new URL(database);
  const open = new Set<Socket>();
  let isSilent = false;
  let answersLeft: number | undefined;
  const server = createServer((near) => {
    const far = connect(Number(target.port || 5432), target.hostname);
    let left = answersLeft;
    answersLeft = undefined;
    far.on('data', () => {
      if (left !== undefined && --left <= 0) near.resetAndDestroy();
    });
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(one);
      one.on('data', (bytes) => isSilent || other.write(bytes));
      one.on('error', () => undefined);
      one.on('close', () => {
        open.delete(one);
        other.destroy();
      });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const cut = () => {
    for (const socket of [...open]) socket.destroy();
  };
  onTestFinished(() => {
    cut();
    server.close();
  });
  const address = server.address();
  const url = new URL(database);
  url.hostname = '127.0.0.1';
  url.port = String(typeof address === 'object' ? address?.port : 0);
  return {
    url: String(url),
    cut,
    cutNext: (answers) => {
      answersLeft = answers;
    },
    silence: () => {
      isSilent = true;
    },
    restore: () => {
      isSilent = false;
      cut();
    },
  };
}
