export { ROLES, type Role } from '../admission/roles.ts';
export { type IssuedToken, TokenBook } from '../admission/token-book.ts';
export { announceServer, findServer, type RunningServer, runFolder } from './server-file.ts';
export {
  joinSocketSession,
  listSocketSessions,
  type OpenSocket,
  openSessionSocket,
} from './session-socket.ts';
