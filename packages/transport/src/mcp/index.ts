export {
  createMcpEndpoint,
  type McpEndpointOptions,
  type SharedMcpEndpoint,
} from './mcp-endpoint.ts';
export type { McpHttpOptions } from './mcp-http.ts';
export {
  createMcpTransport,
  type McpTransport,
  type McpTransportOptions,
} from './mcp-transport.ts';
