import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest, type RequestOptions } from 'node:https';
import { Duplex } from 'node:stream';
import { type ConnectionOptions, connect as tlsConnect } from 'node:tls';

/** An agent that opens TLS connections through `CONNECT` tunnels of a proxy and keeps them alive. */
export function createTunnelAgent(proxy: URL): HttpsAgent {
  const agent = new HttpsAgent({ keepAlive: true });
  // The socket is passed to the callback once the tunnel is open, so nothing is returned.
  agent.createConnection = (options, callback) => {
    const host = options.host ?? '';
    openTunnel(proxy, `${host}:${options.port ?? 443}`)
      .then((socket) => callback?.(null, secure(socket, options)))
      .catch((error: Error) => callback?.(error, new Duplex()));
    return null;
  };
  return agent;
}

/** TLS to the vendor, inside the tunnel. */
function secure(socket: Duplex, options: RequestOptions): Duplex {
  const { host, servername = host, ...rest } = options as ConnectionOptions;
  return tlsConnect({ ...rest, socket, ...(servername ? { servername } : {}) });
}

export function proxyAuthorization(proxy: URL): Record<string, string> {
  if (!proxy.username) return {};
  const pair = `${decodeURIComponent(proxy.username)}:${decodeURIComponent(proxy.password)}`;
  return { 'proxy-authorization': `Basic ${Buffer.from(pair).toString('base64')}` };
}

function openTunnel(proxy: URL, authority: string): Promise<Duplex> {
  return new Promise((resolve, reject) => {
    const request = connectRequest(proxy, authority);
    request.once('connect', (response: IncomingMessage, socket: Duplex) => {
      if (response.statusCode === 200) return resolve(socket);
      socket.destroy();
      reject(new Error(`The proxy ${proxy.host} refused a tunnel (${response.statusCode})`));
    });
    request.once('error', reject);
    request.end();
  });
}

function connectRequest(proxy: URL, authority: string): ClientRequest {
  const open = proxy.protocol === 'https:' ? httpsRequest : httpRequest;
  return open({
    host: proxy.hostname,
    port: proxy.port || (proxy.protocol === 'https:' ? 443 : 80),
    method: 'CONNECT',
    path: authority,
    headers: { host: authority, ...proxyAuthorization(proxy) },
    agent: false,
  });
}
