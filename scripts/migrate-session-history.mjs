#!/usr/bin/env node
// Gives session records from before the timeline a `history` made from their messages.
// Usage: node scripts/migrate-session-history.mjs [directory …]; default: the sessions of the user's home.
// Safe to run again: records that have a history are left alone.
import { chmodSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

const home = process.env.ROBOTA_HOME || join(process.env.HOME || homedir(), '.robota');
const given = process.argv.slice(2);
const directories = given.length > 0 ? given : [join(home, 'sessions')];
const counts = { migrated: 0, unchanged: 0, unreadable: 0 };

for (const directory of directories) {
  for (const name of recordNames(directory)) migrate(join(directory, name));
}
process.stdout.write(
  `${counts.migrated} migrated, ${counts.unchanged} already had a history, ${counts.unreadable} unreadable\n`,
);

function recordNames(directory) {
  try {
    return readdirSync(directory).filter((name) => /^[A-Za-z0-9][\w.-]*\.json$/.test(name));
  } catch (error) {
    if (error.code === 'ENOENT') return [];
    throw error;
  }
}

function migrate(path) {
  const record = readRecord(path);
  if (record === undefined) {
    counts.unreadable += 1;
    process.stderr.write(`Skipped ${path}: it is not a session record.\n`);
    return;
  }
  if (Array.isArray(record.history)) {
    counts.unchanged += 1;
    return;
  }
  record.history = record.messages
    .map((message, index) => toHistoryEntry(record, message, index))
    .filter((entry) => entry.type !== 'system');
  writeWhole(path, JSON.stringify(record));
  counts.migrated += 1;
}

function readRecord(path) {
  try {
    const record = JSON.parse(readFileSync(path, 'utf8'));
    return Array.isArray(record?.messages) ? record : undefined;
  } catch {
    return undefined;
  }
}

/** Old messages may lack an id or a time; the record and the position stand in. */
function toHistoryEntry(record, message, index) {
  const id = message.id ?? `${record.id}-${index}`;
  const timestamp = message.timestamp ?? record.updatedAt ?? record.createdAt;
  return { id, timestamp, category: 'chat', type: message.role, data: { ...message } };
}

function writeWhole(path, text) {
  const draft = `${path}.${process.pid}.tmp`;
  try {
    writeFileSync(draft, text, { mode: 0o600 });
    chmodSync(draft, 0o600);
    renameSync(draft, path);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}
