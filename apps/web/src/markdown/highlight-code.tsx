import type { Emitter } from 'highlight.js';
import hljs from 'highlight.js/lib/core';
import bash from 'highlight.js/lib/languages/bash';
import c from 'highlight.js/lib/languages/c';
import cpp from 'highlight.js/lib/languages/cpp';
import css from 'highlight.js/lib/languages/css';
import diff from 'highlight.js/lib/languages/diff';
import go from 'highlight.js/lib/languages/go';
import ini from 'highlight.js/lib/languages/ini';
import java from 'highlight.js/lib/languages/java';
import javascript from 'highlight.js/lib/languages/javascript';
import json from 'highlight.js/lib/languages/json';
import markdown from 'highlight.js/lib/languages/markdown';
import python from 'highlight.js/lib/languages/python';
import ruby from 'highlight.js/lib/languages/ruby';
import rust from 'highlight.js/lib/languages/rust';
import sql from 'highlight.js/lib/languages/sql';
import typescript from 'highlight.js/lib/languages/typescript';
import xml from 'highlight.js/lib/languages/xml';
import yaml from 'highlight.js/lib/languages/yaml';
import { Fragment, type ReactNode } from 'react';
import { byPosition } from '../by-position.ts';

const LANGUAGES = {
  bash,
  c,
  cpp,
  css,
  diff,
  go,
  ini,
  java,
  javascript,
  json,
  markdown,
  python,
  ruby,
  rust,
  sql,
  typescript,
  xml,
  yaml,
};
for (const [name, language] of Object.entries(LANGUAGES)) hljs.registerLanguage(name, language);

/** Longer code stays plain, to keep the page responsive. */
const MAX_LENGTH = 60_000;

/** The page's six colours by grammar scope. */
const COLOURS: Readonly<Record<string, string>> = {
  keyword: 'keyword',
  'selector-tag': 'keyword',
  deletion: 'keyword',
  name: 'keyword',
  literal: 'number',
  number: 'number',
  symbol: 'number',
  string: 'string',
  regexp: 'string',
  addition: 'string',
  comment: 'comment',
  meta: 'comment',
  quote: 'comment',
  title: 'function',
  attr: 'function',
  attribute: 'function',
  property: 'function',
  section: 'function',
  type: 'type',
  built_in: 'type',
  'title.class': 'type',
};

/** Highlights code as elements. Unknown languages stay plain text. */
export function highlightCode(code: string, language: string | undefined): ReactNode {
  const name = languageName(language);
  if (name === undefined || code.length > MAX_LENGTH) return code;
  const { _emitter } = hljs.highlight(code, { language: name, ignoreIllegals: true });
  return children(rootOf(_emitter));
}

/** The language of a file, by its extension. */
export function languageOfPath(path: string): string | undefined {
  return /\.([A-Za-z0-9]+)$/.exec(path)?.[1];
}

function languageName(language: string | undefined): string | undefined {
  const name = language?.split(/[\s,{:]/)[0]?.toLowerCase();
  return name !== undefined && name !== '' && hljs.getLanguage(name) ? name : undefined;
}

interface ScopeNode {
  readonly scope?: string;
  readonly children: readonly (ScopeNode | string)[];
}

/** The library's tree is in a field that its types omit. */
function rootOf(emitter: Emitter & { readonly rootNode?: ScopeNode }): ScopeNode {
  return emitter.rootNode ?? { children: [] };
}

function children(node: ScopeNode): ReactNode[] {
  return byPosition(node.children, (child, key) => {
    if (typeof child === 'string') return child;
    const colour = colourOf(child.scope);
    if (colour === undefined) return <Fragment key={key}>{children(child)}</Fragment>;
    return (
      <span key={key} className={`hl-${colour}`}>
        {children(child)}
      </span>
    );
  });
}

function colourOf(scope: string | undefined): string | undefined {
  if (scope === undefined) return undefined;
  return COLOURS[scope] ?? COLOURS[scope.split('.')[0] ?? ''];
}
