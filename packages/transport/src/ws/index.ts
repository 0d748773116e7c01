export { createWsTransport, type WsTransport, type WsTransportOptions } from './ws-transport.ts';
