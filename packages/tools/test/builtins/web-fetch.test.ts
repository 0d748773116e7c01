import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { createWebFetchTool, webFetchTool } from '@robota-sdk/agent-tools';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isSameServer } from '../../src/web/fetch-page.ts';
import { call, run } from '../call.ts';

const page = `<!doctype html><html><head><title>T</title><style>b{}</style><script>if (a</b) {}</script></head>
<body><h1>Title</h1><p>Some <b>bold</b> text &amp; a <a href="/x">link</a>.</p><!-- secret -->
<table><tr><th>A</th><th>B</th></tr><tr><td>1</td><td>2</td></tr></table></body></html>`;

const routes: Record<string, RequestListener> = {
  '/page': (_request, response) =>
    response.setHeader('content-type', 'text/html; charset=utf-8').end(page),
  '/text': (_request, response) =>
    response.setHeader('content-type', 'text/plain').end('plain <b>'),
  '/latin': (_request, response) =>
    response
      .setHeader('content-type', 'text/plain; charset=iso-8859-1')
      .end(Buffer.from([0x67, 0x72, 0xfc, 0xdf])),
  '/meta': (_request, response) =>
    response
      .setHeader('content-type', 'text/html')
      .end(Buffer.from('<meta charset="windows-1252"><p>gr\xfc\xdf</p>', 'latin1')),
  '/gzip': (_request, response) =>
    response
      .writeHead(200, { 'content-type': 'text/plain', 'content-encoding': 'gzip' })
      .end(gzipSync('unpacked')),
  '/bomb': (_request, response) =>
    response
      .writeHead(200, { 'content-type': 'text/plain', 'content-encoding': 'gzip' })
      .end(gzipSync(Buffer.alloc(3_000_000, 'a'))),
  '/broken-gzip': (_request, response) =>
    response
      .writeHead(200, { 'content-type': 'text/plain', 'content-encoding': 'gzip' })
      .end('this is no gzip'),
  '/endless': (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/plain' });
    const timer = setInterval(() => response.write('x'.repeat(100_000)), 1);
    response.on('close', () => clearInterval(timer));
  },
  '/silent': () => undefined,
  '/missing': (_request, response) => response.writeHead(404).end('nothing'),
  '/failing': (_request, response) => response.writeHead(503).end(),
  '/binary': (_request, response) =>
    response.writeHead(200, { 'content-type': 'application/zip' }).end(Buffer.from([1, 0, 2])),
  '/image': (_request, response) =>
    response
      .writeHead(200, { 'content-type': 'image/png', 'content-length': '4' })
      .end(Buffer.from([0x89, 0x50, 0x4e, 0x47])),
  '/json': (_request, response) =>
    response.setHeader('content-type', 'application/vnd.api+json; charset=utf-8').end('{"a":1}'),
  '/xml': (_request, response) =>
    response.setHeader('content-type', 'application/rss+xml').end('<a/>'),
  '/untyped': (_request, response) => response.writeHead(200).end('no type'),
  '/untyped-binary': (_request, response) => response.writeHead(200).end(Buffer.from([1, 0, 2])),
  '/garbage': (_request, response) =>
    response
      .writeHead(200, { 'content-type': 'text/html' })
      .end(`<div><p>kept<script>${'<div <p <<!--'.repeat(2000)}`),
  '/hop': (_request, response) => response.writeHead(302, { location: '/text' }).end(),
  '/loop': (_request, response) => response.writeHead(302, { location: '/loop' }).end(),
  '/to-file': (_request, response) =>
    response.writeHead(302, { location: 'file:///etc/passwd' }).end(),
  '/to-metadata': (_request, response) =>
    response.writeHead(302, { location: 'http://169.254.169.254/latest/' }).end(),
  '/headers': (request, response) =>
    response
      .setHeader('content-type', 'application/json')
      .end(
        JSON.stringify([
          request.headers['user-agent'],
          request.headers['x-token'],
          request.headers.host,
        ]),
      ),
};

let server: Server;
let origin = '';
let port = 0;
beforeAll(async () => {
  server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://x');
    const elsewhere = url.searchParams.get('to');
    if (elsewhere) response.writeHead(307, { location: elsewhere }).end();
    else (routes[url.pathname] ?? routes['/missing'])?.(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  port = (server.address() as AddressInfo).port;
  origin = `http://127.0.0.1:${port}`;
});
afterAll(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const local = createWebFetchTool({ allowedHosts: ['127.0.0.1'] });
const fetched = (path: string, parameters = {}) =>
  call(local, { url: `${origin}${path}`, ...parameters });

describe('WebFetch', () => {
  it('returns HTML as Markdown, without invisible elements', async () => {
    expect(await fetched('/page')).toEqual({
      success: true,
      output:
        '# Title\n\nSome **bold** text & a [link](/x).\n\n| A   | B   |\n| --- | --- |\n| 1   | 2   |',
    });
  });

  it('returns text unchanged, in the charset of the server or the page', async () => {
    expect((await fetched('/text')).output).toBe('plain <b>');
    expect((await fetched('/latin')).output).toBe('grüß');
    expect((await fetched('/meta')).output).toBe('grüß');
    expect((await fetched('/gzip')).output).toBe('unpacked');
  });

  it('sends a user agent and custom headers, but no custom Host header', async () => {
    const { output } = await fetched('/headers', { headers: { 'x-token': 't', Host: 'evil' } });

    expect(JSON.parse(output)).toEqual(['Robota-CLI/3.0', 't', `127.0.0.1:${port}`]);
  });

  it('follows a limited number of redirects', async () => {
    expect((await fetched('/hop')).output).toBe('plain <b>');
    expect((await fetched('/loop')).error).toBe(
      `Too many redirects: more than 5 from ${origin}/loop`,
    );
  });

  it('reports a redirect to another host instead of following it', async () => {
    const both = createWebFetchTool({ allowPrivateAddresses: true });
    const to = `http://localhost:${port}/headers`;

    const url = `${origin}/?to=${encodeURIComponent(to)}`;
    const answer = await call(both, { url, headers: { 'x-token': 't' } });

    expect(answer).toEqual({
      success: true,
      output: `${url} redirects to another host: ${to}\nNothing was fetched from there. To go on, call WebFetch with that URL.`,
    });
    expect((await fetched('/to-metadata')).output).toContain(
      'redirects to another host: http://169.254.169.254/latest/',
    );
  });

  it('reports a redirect to another port or back to plain http, which is another server', async () => {
    const other = createServer((_request, response) => response.end('of another server'));
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const to = `http://127.0.0.1:${(other.address() as AddressInfo).port}/`;

    const { output } = await fetched(`/?to=${encodeURIComponent(to)}`);

    await new Promise((resolve) => other.close(resolve));
    expect(output).toContain(`redirects to another port or protocol: ${to}\nNothing was fetched`);
    expect(isSameServer(new URL('http://a/x'), new URL('https://a/'))).toBe(true);
    expect(isSameServer(new URL('https://a/x'), new URL('http://a/'))).toBe(false);
    expect(isSameServer(new URL('http://a:81/'), new URL('https://a/'))).toBe(false);
    expect(isSameServer(new URL('http://a/'), new URL('https://a:444/'))).toBe(false);
  });

  it('does not redirect to other protocols', async () => {
    expect((await fetched('/to-file')).error).toBe(
      'Invalid URL: file:///etc/passwd (only http and https can be fetched)',
    );
  });

  it.each([
    'http://127.0.0.1/',
    'http://2130706433/',
    'http://0x7f.1/',
    'http://10.0.0.1/',
    'http://172.31.255.255/',
    'http://192.168.1.1/',
    'http://100.64.0.1/',
    'http://169.254.169.254/latest/meta-data/',
    'http://0.0.0.0/',
    'http://[::1]/',
    'http://[::]/',
    'http://[::ffff:127.0.0.1]/',
    'http://[fd00:ec2::254]/',
    'http://[fe80::1]/',
    'http://[64:ff9b::7f00:1]/',
    'http://localhost/',
  ])('refuses %s, whose address is not public', async (url) => {
    const { error } = await call(webFetchTool, { url });

    expect(error).toMatch(/^Access denied: ".+" is not a public address \(.+\); private, local/);
  });

  it('reports the error of the server', async () => {
    expect((await fetched('/missing')).error).toBe('HTTP 404 Not Found');
    expect((await fetched('/failing')).error).toBe('HTTP 503 Service Unavailable');
  });

  it('stops downloads that are too large, compressed or not', async () => {
    const small = createWebFetchTool({ allowPrivateAddresses: true, maxBytes: 1_000_000 });

    expect((await call(small, { url: `${origin}/endless` })).error).toBe(
      `Response too large: ${origin}/endless has more than 1000000 bytes`,
    );
    expect((await call(small, { url: `${origin}/bomb` })).error).toBe(
      `Response too large: ${origin}/bomb has more than 1000000 bytes`,
    );
  });

  it('times out on a server that does not answer', async () => {
    const hasty = createWebFetchTool({ allowPrivateAddresses: true, timeoutMs: 50 });

    expect((await call(hasty, { url: `${origin}/silent` })).error).toBe(
      `Request timed out after 50ms: ${origin}/silent`,
    );
  });

  it('reads text, JSON and XML, and names the type and size of anything else', async () => {
    expect((await fetched('/json')).output).toBe('{"a":1}');
    expect((await fetched('/xml')).output).toBe('<a/>');
    expect((await fetched('/untyped')).output).toBe('no type');
    expect((await fetched('/image')).error).toBe(
      `Cannot read ${origin}/image: it is image/png, 4 bytes; only text, JSON and XML can be read`,
    );
    expect((await fetched('/untyped-binary')).error).toBe(
      `Binary response not supported: ${origin}/untyped-binary (no content type)`,
    );
  });

  it('refuses binary content, invalid URLs and unreachable servers', async () => {
    expect((await fetched('/binary')).error).toBe(
      `Cannot read ${origin}/binary: it is application/zip, of unknown size; only text, JSON and XML can be read`,
    );
    expect((await call(local, { url: 'not a url' })).error).toBe('Invalid URL: not a url');
    expect((await fetched('/broken-gzip')).error).toBe(
      `Cannot fetch ${origin}/broken-gzip: incorrect header check`,
    );
    expect((await call(local, { url: 'http://127.0.0.1:1/' })).error).toBe(
      'Cannot fetch http://127.0.0.1:1/: connect ECONNREFUSED 127.0.0.1:1',
    );
  });

  it('handles malformed responses', async () => {
    expect((await fetched('/garbage')).output).toBe('kept');
  });

  it('stops at once on abort', async () => {
    const abort = new AbortController();
    const running = run(local, { url: `${origin}/endless` }, { signal: abort.signal });
    setTimeout(() => abort.abort(), 20);

    expect(await running).toMatchObject({ success: false, errorCode: 'interrupted' });
  });

  it('reports the URL to the gate', async () => {
    expect(await webFetchTool.touches?.({ url: 'https://example.com/a' }, {})).toEqual([
      { kind: 'network', target: 'https://example.com/a' },
    ]);
  });
});
