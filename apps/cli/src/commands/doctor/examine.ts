import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { access, mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  describeSaveFailure,
  findConfinement,
  listSessionSummaries,
  resolveSettings,
  robotaHome,
  userPaths,
  validateSession,
} from '@robota-sdk/agent-sdk';
import { chooseProvider } from '../../provider/provider-choice.ts';
import { describeError } from '../../report-error.ts';
import { findPrograms } from '../find-programs.ts';
import { examineCatalogue } from './examine-catalogue.ts';
import { examineSmallFiles } from './examine-small-files.ts';
import type { DoctorFinding } from './finding.ts';

/** Checks everything a session depends on, cheapest first. */
export async function* examine(
  cwd: string,
  { isRepairing }: { readonly isRepairing: boolean },
): AsyncGenerator<DoctorFinding> {
  yield { subject: 'Node', state: 'ok', message: process.versions.node };
  yield await examineHome();
  yield* examineSettings(cwd);
  yield* examineSmallFiles();
  yield await examineConfinement();
  yield* examinePrograms();
  yield await examineStore('sqlite::memory:');
  if (process.env.ROBOTA_STORE_URL) yield await examineStore(process.env.ROBOTA_STORE_URL);
  yield* examineLogs();
  yield* examineCatalogue(isRepairing);
}

async function examineConfinement(): Promise<DoctorFinding> {
  const found = await findConfinement();
  const subject = 'Sandbox';
  if (found.available) {
    return { subject, state: 'ok', message: `${found.confinement.name} is available` };
  }
  return {
    subject,
    state: 'note',
    message: `sandbox unavailable: ${found.reason}`,
    advice:
      'Read-only commands still run without asking, exactly as judged. Install bubblewrap to isolate them as well.',
  };
}

async function examineHome(): Promise<DoctorFinding> {
  const home = robotaHome();
  try {
    await mkdir(home, { recursive: true, mode: 0o700 });
    await access(home, constants.R_OK | constants.W_OK);
    await tryWriting(home);
    return { subject: 'Home', state: 'ok', message: home };
  } catch (error) {
    return {
      subject: 'Home',
      state: 'problem',
      message: `${home} cannot be written: ${describeSaveFailure(error)}`,
      advice: 'Nothing can be saved until this is fixed. Set ROBOTA_HOME to use another directory.',
    };
  }
}

/** Only writing shows whether there is space. */
async function tryWriting(home: string): Promise<void> {
  const file = join(home, `.doctor-${randomUUID()}`);
  try {
    await writeFile(file, Buffer.alloc(PROBE_BYTES), { mode: 0o600, flush: true });
  } finally {
    await rm(file, { force: true });
  }
}

/** More than a prompt with its answer needs. */
const PROBE_BYTES = 64 * 1024;

async function* examineSettings(cwd: string): AsyncGenerator<DoctorFinding> {
  try {
    const { config, files, inactive, notices } = await resolveSettings({ cwd });
    yield {
      subject: 'Settings',
      state: 'ok',
      message: files.length > 0 ? files.join(', ') : 'none',
    };
    for (const message of notices) yield { subject: 'Settings', state: 'note', message };
    if (inactive.length > 0) {
      const message = `${inactive.length} setting(s) of this directory are inactive until you trust it`;
      yield {
        subject: 'Trust',
        state: 'note',
        message,
        advice: 'Start robota here and confirm, or pass --trust.',
      };
    }
    const { kind, reason } = chooseProvider({
      provider: undefined,
      model: undefined,
      baseUrl: undefined,
      profile: config.provider,
      profiles: config.providers ?? {},
      models: config.models ?? [],
      environment: process.env,
    });
    yield kind === 'demo'
      ? {
          subject: 'Provider',
          state: 'note',
          message: 'no API key found; the offline demo model is used',
          advice:
            'Set ANTHROPIC_API_KEY, OPENAI_API_KEY or GEMINI_API_KEY, or use --provider ollama --model <model>.',
        }
      : { subject: 'Provider', state: 'ok', message: `${kind} (${reason})` };
  } catch (error) {
    yield {
      subject: 'Settings',
      state: 'problem',
      message: describeError(error),
      advice: 'Fix the file; until then its rules do not apply.',
    };
  }
}

async function* examinePrograms(): AsyncGenerator<DoctorFinding> {
  for (const { title, path } of await findPrograms()) {
    yield { subject: title, state: 'note', message: path ?? 'not installed' };
  }
}

/** Checks the session store of a server: the embedded database, or the configured one. */
async function examineStore(address: string): Promise<DoctorFinding> {
  const subject = `Store ${address.split(':')[0]}`;
  try {
    const { openSessionStore } = await import('@robota-sdk/agent-store/open');
    const store = await openSessionStore(address);
    await store.find({ userId: 'doctor', limit: 1 });
    await store.close();
    return { subject, state: 'ok', message: 'working' };
  } catch (error) {
    const advice =
      'Check that the server is running and the address is correct. For sqlite, reinstall robota on this machine.';
    return { subject, state: 'problem', message: describeError(error), advice };
  }
}

async function* examineLogs(): AsyncGenerator<DoctorFinding> {
  const ids = new Set(listSessionSummaries().map(({ id }) => id));
  const names = await readdir(userPaths().logs).catch(() => []);
  const logs = names
    .filter((name) => name.endsWith('.jsonl'))
    .map((name) => name.slice(0, -'.jsonl'.length));
  let whole = 0;
  for (const id of logs) {
    const finding = examineLog(id);
    if (finding) yield finding;
    else whole += 1;
  }
  yield {
    subject: 'Sessions',
    state: 'ok',
    message: `${ids.size} saved, ${whole} of ${logs.length} logs intact`,
  };
}

function examineLog(id: string): DoctorFinding | undefined {
  try {
    const { skippedLines } = validateSession(id);
    if (skippedLines === 0) return undefined;
    const message = `${skippedLines} line(s) of its log cannot be read and were skipped`;
    return {
      subject: `Session ${id}`,
      state: 'note',
      message,
      advice: `Run robota validate ${id} for details.`,
    };
  } catch (error) {
    return {
      subject: `Session ${id}`,
      state: 'problem',
      message: describeError(error),
      advice: `Run robota sessions delete ${id} to remove it.`,
    };
  }
}
