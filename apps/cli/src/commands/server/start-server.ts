import { readFileSync } from 'node:fs';
import { hostname, userInfo } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Catalogue, LabelFile, type SessionLabels } from '@robota-sdk/agent-archive';
import {
  type AssembledSessionOptions,
  deleteSession,
  openHostStore,
  resolveSettings,
  robotaHome,
  SessionHost,
  sweepEvery,
} from '@robota-sdk/agent-sdk';
import {
  createHttpTransport,
  type HttpTransport,
  loadServerToken,
  PageLinks,
  ROLES,
  type ServedCatalogue,
} from '@robota-sdk/agent-transport/http';
import { createMcpEndpoint } from '@robota-sdk/agent-transport/mcp';
import { announceServer } from '@robota-sdk/agent-transport/run';
import { createWsTransport } from '@robota-sdk/agent-transport/ws';
import { openPageFiles } from '@robota-sdk/agent-web/serve';
import type { RunArguments } from '../../arguments/parse-arguments.ts';
import type { Output } from '../../output.ts';
import { pageFolder } from '../../page-folder.ts';
import { createProvider } from '../../provider/create-provider.ts';
import { chooseProvider, type ProviderChoice } from '../../provider/provider-choice.ts';
import { describeError } from '../../report-error.ts';
import { listFiles } from '../../terminal/list-files.ts';
import {
  openServedArchive,
  type ServedArchive,
  type ServedArchiveFlags,
} from '../archive/serve-archive.ts';
import { type OpenedCatalogue, openCatalogue } from '../catalogue.ts';
import { sessionDefaults } from '../session-defaults.ts';
import { exportForServer } from './export-conversation.ts';
import { joinTerminal, joinTerminals } from './join-terminals.ts';
import { keepCatalogueFresh } from './keep-catalogue-fresh.ts';
import { offeredModels } from './offered-models.ts';

export interface ServerOptions {
  readonly run: RunArguments;
  readonly port?: number | undefined;
  readonly hostname?: string | undefined;
  readonly allowedOrigins?: readonly string[] | undefined;
  readonly allowedHosts?: readonly string[] | undefined;
  /** URL of the session store; defaults to the settings, `ROBOTA_STORE_URL`, or a file in our home. */
  readonly store?: string | undefined;
  /** Default agent of new sessions. */
  readonly agent?: string | undefined;
  /** A shared database whose sessions this server runs together with other nodes. */
  readonly archive?: ServedArchiveFlags | undefined;
}

export interface StartedServer {
  readonly url: string;
  readonly choice: ProviderChoice;
  readonly token: ReturnType<HttpTransport['getToken']>;
  /** A single-use link to the page, valid for two minutes. */
  createLink(): string;
  stop(): Promise<void>;
}

const SWEEP_MS = 60_000;

/** Serves every session of this machine on one port: HTTP, WebSocket, MCP and the page. */
export async function startServer(options: ServerOptions, output: Output): Promise<StartedServer> {
  const report = (error: unknown) => output.note(`robota: ${describeError(error)}`);
  const { run } = options;
  const { defaults, choice } = await sessionDefaults(run);
  const store = await openHostStore(await storeUrl(options));
  const served = await openServedArchive(options.archive ?? {});
  const opened = await openServedCatalogue(served, output);
  const { catalogue } = opened;
  const fresh = keepCatalogueFresh(opened, { onError: report });
  const host = createHost(options, { defaults, store, catalogue, report, archive: served.archive });
  const links = new PageLinks(loadServerToken().token);
  const mcp = createMcpEndpoint({ host });
  const shared = {
    host,
    links,
    deleteSession: run.persistence && !served.archive ? deleteSession : undefined,
    allowedOrigins: options.allowedOrigins,
    allowedHosts: options.allowedHosts,
  };
  const http = createHttpTransport({
    ...shared,
    port: options.port,
    hostname: options.hostname,
    isReady: () => host.isReady,
    mcp,
    page: openPageFiles(pageFolder()),
    catalogue: {
      catalogue,
      labels: opened.labels,
      onRefresh: opened.onChange ?? ((listener) => fresh.onRefresh(listener)),
      catchUp: () => fresh.catchUp(),
    },
    exporter: exportForServer,
    listFiles,
    listModels: offeredModels(defaults.provider),
    about: { node: served.node ?? hostname(), version: ownVersion() },
  });
  const ws = createWsTransport({ ...shared, server: () => http.getServer() });
  await host.start();
  await http.start();
  await ws.start();
  const url = http.getUrl();
  const token = http.getToken();
  const takeBack = announceServer({ url, tokenPath: token?.path ?? '' });
  const sweeping = sweepEvery(host, { intervalMs: SWEEP_MS, onError: report });
  const joining = joinTerminals(host, report);
  const owner = { user: 'owner', roles: new Set(ROLES) };
  return {
    url,
    choice,
    token,
    createLink: () => `${url}/#code=${links.create(owner).code}`,
    async stop() {
      takeBack();
      await Promise.all([joining.stop(), sweeping.stop(), fresh.stop()]);
      await ws.stop();
      await mcp.close();
      await http.stop();
      await host.closeAll('other');
      await opened.close();
      await served.close();
      await store.close();
    },
  };
}

/** The catalogue that the server lists: of all nodes with a shared archive, otherwise of this machine. */
async function openServedCatalogue(
  { catalogue }: ServedArchive,
  output: Output,
): Promise<OpenedCatalogue & { labels: SessionLabels; onChange?: ServedCatalogue['onRefresh'] }> {
  if (catalogue) return catalogue;
  const labels = new LabelFile(join(robotaHome(), 'labels.json'));
  return { ...(await openCatalogue(output)), labels };
}

interface HostParts {
  readonly defaults: AssembledSessionOptions;
  readonly store: Awaited<ReturnType<typeof openHostStore>>;
  readonly catalogue: Catalogue;
  readonly archive: Awaited<ReturnType<typeof openServedArchive>>['archive'];
  readonly report: (error: unknown) => void;
}

function createHost({ run, agent }: ServerOptions, parts: HostParts): SessionHost {
  const { defaults, store, catalogue, archive, report } = parts;
  const host: SessionHost = new SessionHost({
    defaults: { ...defaults, trust: trustOf(run) },
    store,
    archive,
    agent,
    userId: userInfo().username,
    resolveProfile: (name) => profileOptions(name, run),
    findCwd: async (id) => {
      const found = await catalogue.resolve(id, { agent: 'robota' });
      return found.kind === 'found' ? found.session.cwd : undefined;
    },
    openElsewhere: (id) => joinTerminal(id, () => host.close(id, 'released')),
    onError: report,
  });
  return host;
}

async function storeUrl({ store, run }: ServerOptions): Promise<string | undefined> {
  if (store !== undefined) return store;
  const { config } = await resolveSettings({ cwd: process.cwd(), trust: run.trust || undefined });
  if (config.store !== undefined) return config.store;
  if (process.env.ROBOTA_STORE_URL) return process.env.ROBOTA_STORE_URL;
  return run.persistence ? undefined : 'memory:';
}

/** `--trust` applies only to the current directory; sessions elsewhere ask for trust themselves. */
function trustOf({ trust }: RunArguments): AssembledSessionOptions['trust'] {
  const here = process.cwd();
  return trust ? (directory) => directory === here : undefined;
}

async function profileOptions(name: string, run: RunArguments) {
  const { config } = await resolveSettings({ cwd: process.cwd(), trust: run.trust || undefined });
  const profiles = config.providers ?? {};
  if (!Object.hasOwn(profiles, name)) {
    const known = Object.keys(profiles).join(', ') || 'none';
    const error = new Error(`There is no profile called "${name}"; your settings have ${known}.`);
    throw Object.assign(error, { code: 'unknown_profile' });
  }
  const { provider, model } = await createProvider(
    chooseProvider({
      provider: name,
      model: undefined,
      baseUrl: undefined,
      profile: undefined,
      profiles,
      models: config.models ?? [],
      environment: process.env,
    }),
  );
  return { provider, model };
}

function ownVersion(): string {
  const path = fileURLToPath(new URL('../../package.json', import.meta.url));
  const { version } = JSON.parse(readFileSync(path, 'utf8')) as { readonly version: string };
  return version;
}
