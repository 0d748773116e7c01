export type { ConnectionState } from './connection.ts';
export { RemoteError } from './remote-error.ts';
export type { RemoteSessionEvents } from './remote-events.ts';
export { RemoteServer, type RemoteServerOptions } from './remote-server.ts';
export { RemoteSession, type RemoteSessionOptions } from './remote-session.ts';
export type { ServerAddress } from './server-address.ts';
export type { FetchLike, SocketConstructor, SocketLike } from './socket.ts';
