import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { createNodeFetch } from '../../src/http/node-fetch.ts';

const servers: Server[] = [];
/** A server no longer tracks a socket once it is a tunnel. */
const tunnels: Socket[] = [];
const FIXTURES = new URL('./fixtures/', import.meta.url);

async function listen(server: Server): Promise<number> {
  servers.push(server);
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return (server.address() as AddressInfo).port;
}

function startServer(listener: RequestListener): Promise<number> {
  return listen(createServer(listener));
}

afterEach(async () => {
  for (const tunnel of tunnels.splice(0)) tunnel.destroy();
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

async function textOf(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of response.body ?? []) text += decoder.decode(chunk, { stream: true });
  return text;
}

const post = (body: string) => ({ method: 'POST', headers: { 'x-test': 'yes' }, body });

describe('createNodeFetch', () => {
  it('posts a body and streams the response with status and headers', async () => {
    const port = await startServer((request, response) => {
      response.writeHead(201, { 'x-answer': '42' });
      request.pipe(response);
    });

    const response = await createNodeFetch({})(`http://127.0.0.1:${port}/`, post('Grüße'));

    expect([response.status, response.ok, response.headers.get('x-answer')]).toEqual([
      201,
      true,
      '42',
    ]);
    expect(await textOf(response)).toBe('Grüße');
  });

  it.each([
    ['gzip', gzipSync],
    ['br', brotliCompressSync],
    ['deflate', deflateSync],
  ] as const)(
    'decodes a response that a gateway compressed with %s',
    async (encoding, compress) => {
      const port = await startServer((_request, response) => {
        response.writeHead(200, { 'content-encoding': encoding });
        response.end(compress('data: Grüße\n\n'));
      });

      const response = await createNodeFetch({})(`http://127.0.0.1:${port}/`, post(''));

      expect(await textOf(response)).toBe('data: Grüße\n\n');
    },
  );

  it('fails on a compressed response that is cut off', async () => {
    const port = await startServer((_request, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' });
      response.end(gzipSync('data: Grüße\n\n').subarray(0, -6));
    });

    const response = await createNodeFetch({})(`http://127.0.0.1:${port}/`, post(''));

    await expect(textOf(response)).rejects.toThrow('unexpected end of file');
  });

  it('reuses the connection for the next request', async () => {
    const sockets = new Set<Socket>();
    const port = await startServer((request, response) => {
      sockets.add(request.socket);
      response.end('ok');
    });
    const fetch = createNodeFetch({});

    for (let count = 0; count < 3; count++) {
      await textOf(await fetch(`http://127.0.0.1:${port}/`, post('x')));
      await new Promise(setImmediate);
    }

    expect(sockets.size).toBe(1);
  });

  it('repeats the request when a kept-alive connection was closed', async () => {
    let requests = 0;
    const port = await startServer((request, response) => {
      requests += 1;
      if (requests === 2) request.socket.resetAndDestroy();
      else response.end(`answer ${requests}`);
    });
    const fetch = createNodeFetch({});

    await textOf(await fetch(`http://127.0.0.1:${port}/`, post('x')));
    await new Promise(setImmediate);
    const second = await fetch(`http://127.0.0.1:${port}/`, post('x'));

    expect(await textOf(second)).toBe('answer 3');
  });

  it('does not repeat a request on a fresh connection', async () => {
    let requests = 0;
    const port = await startServer((request) => {
      requests += 1;
      request.socket.resetAndDestroy();
    });

    await expect(createNodeFetch({})(`http://127.0.0.1:${port}/`, post('x'))).rejects.toMatchObject(
      {
        code: 'ECONNRESET',
      },
    );
    expect(requests).toBe(1);
  });

  it('closes the connection when the signal aborts', async () => {
    let closed: () => void = () => undefined;
    const isClosed = new Promise<void>((resolve) => {
      closed = resolve;
    });
    const port = await startServer((_request, response) => {
      response.on('close', closed);
      response.write('first');
    });
    const abort = new AbortController();

    const response = await createNodeFetch({})(`http://127.0.0.1:${port}/`, {
      ...post('x'),
      signal: abort.signal,
    });
    abort.abort();

    await expect(textOf(response)).rejects.toMatchObject({ name: 'AbortError' });
    await isClosed;
  });

  it('sends HTTP requests through the proxy with its credentials', async () => {
    const seen: Partial<IncomingMessage>[] = [];
    const port = await startServer((request, response) => {
      seen.push({ url: request.url, headers: request.headers });
      response.end('from the proxy');
    });
    const fetch = createNodeFetch({ HTTP_PROXY: `http://me:p%40ss@127.0.0.1:${port}` });

    const response = await fetch('http://vendor.test/v1', post('x'));

    expect(await textOf(response)).toBe('from the proxy');
    expect(seen).toMatchObject([
      {
        url: 'http://vendor.test/v1',
        headers: {
          host: 'vendor.test',
          'proxy-authorization': `Basic ${Buffer.from('me:p@ss').toString('base64')}`,
        },
      },
    ]);
  });

  it('sends HTTPS requests through a tunnel of the proxy', async () => {
    const secure = createSecureServer(
      {
        key: readFileSync(new URL('localhost.key.pem', FIXTURES)),
        cert: readFileSync(new URL('localhost.cert.pem', FIXTURES)),
      },
      (request, response) => void request.pipe(response),
    );
    const port = await listen(secure);
    const authorities: (string | undefined)[] = [];
    const proxy = createServer();
    proxy.on('connect', (request, client: Socket) => {
      tunnels.push(client);
      authorities.push(request.url);
      const upstream = connect(port, '127.0.0.1', () => {
        client.write('HTTP/1.1 200 Connection established\r\n\r\n');
        upstream.pipe(client).pipe(upstream);
      });
      client.on('close', () => upstream.destroy());
      client.on('error', () => upstream.destroy());
    });
    const proxyPort = await listen(proxy);
    const fetch = createNodeFetch({ HTTPS_PROXY: `http://127.0.0.1:${proxyPort}` });
    const before = process.env.NODE_TLS_REJECT_UNAUTHORIZED;
    process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';

    try {
      const first = await textOf(await fetch('https://localhost:8443/', post('secret')));
      await new Promise(setImmediate);
      const second = await textOf(await fetch('https://localhost:8443/', post('again')));

      expect([first, second]).toEqual(['secret', 'again']);
      expect(authorities).toEqual(['localhost:8443']);
    } finally {
      if (before === undefined) delete process.env.NODE_TLS_REJECT_UNAUTHORIZED;
      else process.env.NODE_TLS_REJECT_UNAUTHORIZED = before;
    }
  });

  it('reports a tunnel refused by the proxy', async () => {
    const proxy = createServer();
    proxy.on('connect', (_request, client: Socket) => {
      client.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n');
    });
    const port = await listen(proxy);

    await expect(
      createNodeFetch({ https_proxy: `127.0.0.1:${port}` })('https://vendor.test/', post('x')),
    ).rejects.toThrow(`The proxy 127.0.0.1:${port} refused a tunnel (407)`);
  });
});
