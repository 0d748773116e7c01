import { existsSync } from 'node:fs';
import { isAbsolute, resolve } from 'node:path';
import type { MarketplaceSetting } from '../config/settings.ts';

/** The source of a marketplace or of one of its plugins. */
export type MarketplaceSource =
  | { readonly type: 'git'; readonly url: string; readonly ref?: string }
  | { readonly type: 'path'; readonly path: string }
  /** The marketplace file itself. */
  | { readonly type: 'url'; readonly url: string };

/** `owner/repo`, a git address, a directory, or the URL of a marketplace.json. */
export function parseSource(written: string, cwd = process.cwd()): MarketplaceSource {
  const text = written.trim();
  const looksLikePath = /^[.~/]/.test(text) || isAbsolute(text);
  if (looksLikePath && !text.startsWith('~')) return { type: 'path', path: resolve(cwd, text) };
  if (/^https?:\/\/.*\.json$/.test(text)) return { type: 'url', url: text };
  if (/^(?:https?|ssh|git|file):\/\//.test(text) || /^[\w.-]+@[\w.-]+:/.test(text)) {
    return { type: 'git', url: text };
  }
  if (/^[\w-][\w.-]*\/[\w.-]+$/.test(text)) {
    return existsSync(resolve(cwd, text))
      ? { type: 'path', path: resolve(cwd, text) }
      : { type: 'git', url: githubUrl(text) };
  }
  throw new Error(
    `"${written}" is no source of plugins: give owner/repo, a git URL, a directory or the URL of a marketplace.json`,
  );
}

/** A source as settings and marketplace files write it. */
export function sourceFromSetting(setting: MarketplaceSetting['source']): MarketplaceSource {
  const { repo, url, path, ref } = setting;
  const type = setting.source ?? setting.type;
  if (type === 'github' && repo && /^[\w-][\w.-]*\/[\w.-]+$/.test(repo)) {
    return { type: 'git', url: githubUrl(repo), ...(ref && { ref }) };
  }
  if ((type === 'local' || type === 'directory' || type === 'path') && path) {
    return { type: 'path', path: resolve(path) };
  }
  if ((type === 'git' || type === 'url') && url) {
    if (type === 'url' && url.endsWith('.json')) return { type: 'url', url };
    return { type: 'git', url, ...(ref && { ref }) };
  }
  throw new Error(`Unknown plugin source ${JSON.stringify(setting)}`);
}

function githubUrl(repo: string): string {
  return `https://github.com/${repo.replace(/\.git$/, '')}.git`;
}
