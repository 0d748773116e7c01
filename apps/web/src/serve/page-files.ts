import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Only resources from this server run or load; text can never become markup. */
export const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

export interface PageFile {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

export interface PageFiles {
  /** The file at a path, if any. `acceptEncoding` is the request header. */
  find(path: string, acceptEncoding?: string): PageFile | undefined;
}

/** The built page in `folder` (`dist/page` of this package); files are read once and cached. */
export function openPageFiles(folder: string): PageFiles {
  const kept = new Map<string, PageFile>();
  return {
    find(path, acceptEncoding = '') {
      const name = fileNameOf(path);
      if (name === undefined) return undefined;
      const encoding = encodingFor(acceptEncoding);
      const key = `${encoding}:${name}`;
      const file = kept.get(key) ?? readPageFile(folder, name, encoding);
      if (file) kept.set(key, file);
      return file;
    },
  };
}

/** Routes of the page, all served by its HTML file. */
const PAGE_ROUTES = /^\/(?:$|s\/|search$|usage$|settings$|trust$)/;
/** Built files have flat names, so a path can never escape the folder. */
const ASSETS = /^\/(?:assets\/)?[\w-]+(?:\.[\w-]+)*\.(?:js|css|svg|woff2)$/;

function fileNameOf(path: string): string | undefined {
  if (PAGE_ROUTES.test(path)) return 'index.html';
  return ASSETS.test(path) ? path.slice(1) : undefined;
}

type Encoding = 'br' | 'gzip' | 'plain';
const ENDINGS: Readonly<Record<Encoding, string>> = { br: '.br', gzip: '.gz', plain: '' };

function encodingFor(accepted: string): Encoding {
  if (/\bbr\b/.test(accepted)) return 'br';
  return /\bgzip\b/.test(accepted) ? 'gzip' : 'plain';
}

const TYPES: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
  woff2: 'font/woff2',
};

function readPageFile(folder: string, name: string, wanted: Encoding): PageFile | undefined {
  const plain = join(folder, name);
  if (!existsSync(plain)) return undefined;
  const encoding = existsSync(plain + ENDINGS[wanted]) ? wanted : 'plain';
  const isHashed = name.startsWith('assets/');
  return {
    body: readFileSync(plain + ENDINGS[encoding]),
    headers: {
      'content-type': TYPES[name.split('.').at(-1) ?? ''] ?? 'application/octet-stream',
      'content-security-policy': PAGE_POLICY,
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'cache-control': isHashed ? 'public, max-age=31536000, immutable' : 'no-cache',
      vary: 'accept-encoding',
      ...(encoding !== 'plain' && { 'content-encoding': encoding }),
    },
  };
}
