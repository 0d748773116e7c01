import { CatalogueDatabase } from './database.ts';
import { REQUEST_BITS } from './numbers.ts';

/** Raised whenever the tables or their content change; a file of another version is rebuilt. */
const SCHEMA_VERSION = 6;

const TABLES = `
create table meta(key text primary key, value text) without rowid;
create table origin(path text primary key, stamp text, origin text) without rowid;
create table watched(path text primary key, mtime real) without rowid;
create table project(id integer primary key, key text unique, name text);
create table project_path(path text primary key, project integer) without rowid;
create table repository(marker text primary key, project integer) without rowid;
create table session(
  id integer primary key, type text, agent text, native_id text, path text, parts text, version text,
  project integer, cwd text, title text, name text, preview text, model text, branch text,
  fork_of text, created integer, updated integer, messages integer, orphan integer,
  gone integer, hidden integer, twin integer not null default 0, digest text);
create unique index session_place on session(type, path, native_id);
create index session_id on session(native_id, type);
create index session_shown on session(updated desc, native_id desc, type)
  where hidden = 0 and twin = 0;
create index session_project on session(project, updated desc);
create table place(session integer primary key, data blob);
create table span(first integer primary key, last integer, session integer);
create index span_session on span(session);
create table usage(
  id integer primary key, session integer as (id >> ${REQUEST_BITS}) virtual, key integer, at integer,
  model integer, cause integer, input integer, output integer, cache_read integer,
  cache_write integer, cache_write_1h integer, thinking integer, cost real, copy integer,
  counted integer);
create index usage_key on usage(key);
create table word(id integer primary key, text text unique);
create virtual table words using fts5(
  text, tokenize = "unicode61 remove_diacritics 2", content = '', contentless_delete = 1);
insert into words(words, rank) values('hashsize', 8388608);
`;

/** An open catalogue; undefined if the file is empty or of another version. */
export function openTables(path: string): CatalogueDatabase | undefined {
  const database = new CatalogueDatabase(path);
  try {
    setUp(database);
    if (database.row('pragma user_version')?.user_version === SCHEMA_VERSION) return database;
    database.close();
    return undefined;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** Creates the tables in an empty file. */
export function createTables(path: string): CatalogueDatabase {
  const database = new CatalogueDatabase(path);
  try {
    database.exec('pragma page_size = 8192; pragma auto_vacuum = incremental');
    setUp(database);
    database.exec(`begin immediate; ${TABLES} pragma user_version = ${SCHEMA_VERSION}; commit`);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

function setUp(database: CatalogueDatabase): void {
  database.exec(
    'pragma busy_timeout = 2000; pragma journal_mode = wal; pragma synchronous = normal; ' +
      'pragma temp_store = memory; pragma cache_size = -16000',
  );
}
