export type { AdmissionOptions } from '../admission/admission.ts';
export { type PageLink, PageLinks } from '../admission/page-links.ts';
export { type Identity, ROLES } from '../admission/roles.ts';
export { loadServerToken, type ServerToken } from '../admission/server-token.ts';
export type { ServedCatalogue } from '../live/session-directory.ts';
export type { GatewayOptions } from '../live/session-gateway.ts';
export type { HttpApp } from './app.ts';
export {
  createHttpTransport,
  type HttpTransport,
  type HttpTransportOptions,
} from './http-transport.ts';
export type {
  ExportFormat,
  McpEndpoint,
  PageSource,
  ServerParts,
  SessionExporter,
} from './server-parts.ts';
