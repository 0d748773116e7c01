export type { AdmissionOptions } from '../admission/admission.ts';
export { loadServerToken, type ServerToken } from '../admission/server-token.ts';
export type { DoorOptions } from '../live/session-door.ts';
export type { HttpApp } from './app.ts';
export {
  createHttpTransport,
  type HttpTransport,
  type HttpTransportOptions,
} from './http-transport.ts';
