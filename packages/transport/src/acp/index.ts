export {
  type AcpTransport,
  type AcpTransportOptions,
  createAcpTransport,
} from './acp-transport.ts';
export type { AcpSessionSource, EditorOptions, NewEditorSession } from './session-source.ts';
export { type HostSourceOptions, hostSource, serverSource } from './sources.ts';
