import type { Emitter, HLJSApi } from 'highlight.js';
import type { Highlighter } from './render-markdown.ts';
import { plainHighlighter } from './render-markdown.ts';
import { type Span, splitLines, type TextStyle } from './styled-text.ts';

/** Loads the highlighter with the languages people paste most. Costs some 50 ms, so never before the first code block. */
export async function loadHighlighter(): Promise<Highlighter> {
  const { default: hljs } = await import('highlight.js/lib/common');
  return (code, language) => highlightCode(hljs, code, language);
}

const STYLES: Readonly<Record<string, TextStyle>> = {
  keyword: 'keyword',
  'meta-keyword': 'keyword',
  built_in: 'name',
  title: 'name',
  section: 'name',
  attr: 'name',
  name: 'name',
  type: 'name',
  string: 'string',
  regexp: 'string',
  number: 'number',
  literal: 'number',
  symbol: 'number',
  comment: 'comment',
  quote: 'comment',
  meta: 'comment',
  addition: 'added',
  deletion: 'removed',
};

function highlightCode(hljs: HLJSApi, code: string, language: string): ReturnType<Highlighter> {
  const [name = ''] = language.split(/[\s,{]/);
  if (!hljs.getLanguage(name)) return plainHighlighter(code, language);
  const { _emitter } = hljs.highlight(code, { language: name, ignoreIllegals: true });
  return splitLines(spansOf(rootOf(_emitter), 'code'));
}

interface ScopeNode {
  readonly scope?: string;
  readonly children: readonly (ScopeNode | string)[];
}

/** The emitter's tree is the library's only structured result; its other output is HTML. */
function rootOf(emitter: Emitter & { readonly rootNode?: ScopeNode }): ScopeNode {
  return emitter.rootNode ?? { children: [] };
}

function spansOf(node: ScopeNode, outer: TextStyle): Span[] {
  const scope = node.scope?.split('.')[0] ?? '';
  const style = STYLES[scope] ?? outer;
  return node.children.flatMap((child) =>
    typeof child === 'string' ? [{ text: child, style }] : spansOf(child, style),
  );
}
