import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { BlockView } from '../../src/blocks/block-view.tsx';
import { StaticRendering } from '../../src/blocks/static-rendering.ts';
import { hostileBlocks, XSS_CORPUS } from '../xss-corpus.ts';

const HARMLESS =
  /^(?:a|b|blockquote|br|button|code|dd|del|details|div|dl|dt|em|figcaption|figure|h[2-6]|hr|img|li|mark|ol|p|path|pre|circle|rect|line|polyline|polygon|ellipse|section|span|strong|summary|svg|table|tbody|td|th|thead|tr|ul)$/;
const ATTRIBUTES =
  /^(?:aria-[a-z]+|class|dir|tabindex|role|title|href|target|rel|src|alt|open|start|type|xmlns|width|height|viewbox|fill|stroke|stroke-[a-z]+|d|cx|cy|r|x|y|x1|x2|y1|y2|rx|ry|points)$/;

describe('untrusted content', () => {
  it('is tested with hundreds of harmful texts', () => {
    expect(XSS_CORPUS.length).toBeGreaterThan(400);
  });

  // In parts, so that slow machines stay within the time limit.
  it.each([0, 1, 2, 3, 4, 5, 6, 7])(
    'renders only known elements, in every block type (part %i)',
    (part) => {
      const texts = XSS_CORPUS.filter((_, index) => index % 8 === part);
      const wrong = texts.flatMap((text, index) => {
        const elements = elementsIn(render(text, `x${index}`));
        return elements.flatMap((element) => problems(element).map((why) => ({ text, why })));
      });

      expect(wrong).toEqual([]);
    },
  );
});

function render(text: string, name: string): string {
  const blocks = hostileBlocks(text, name);
  return renderToStaticMarkup(
    <StaticRendering value={true}>
      {blocks.map((block) => (
        <BlockView
          key={block.id}
          block={block}
          result={
            blocks.find(
              (other) =>
                other.type === 'tool_result' &&
                block.type === 'tool_use' &&
                other.toolUseId === block.toolUseId,
            ) as never
          }
          threadHref={(id) => `#${encodeURIComponent(id)}`}
        />
      ))}
    </StaticRendering>,
  );
}

interface Element {
  readonly tag: string;
  readonly attributes: readonly (readonly [string, string])[];
}

/** React writes every attribute quoted and every `<` of a text as `&lt;`, so tags can be read one by one. */
function elementsIn(markup: string): Element[] {
  return [...markup.matchAll(/<([A-Za-z][\w:-]*)((?:\s+[^\s=>"]+(?:="[^"]*")?)*)\s*\/?>/g)].map(
    (match) => ({
      tag: (match[1] ?? '').toLowerCase(),
      attributes: [...(match[2] ?? '').matchAll(/\s+([^\s=>"]+)(?:="([^"]*)")?/g)].map(
        (found) => [(found[1] ?? '').toLowerCase(), found[2] ?? ''] as const,
      ),
    }),
  );
}

function problems({ tag, attributes }: Element): string[] {
  const wrongTag = HARMLESS.test(tag) ? [] : [`element ${tag}`];
  const wrong = attributes.flatMap(([name, value]) => {
    if (!ATTRIBUTES.test(name)) return [`${tag} ${name}`];
    if (name === 'href' && !/^(?:https?:\/\/|mailto:|#)/.test(value)) return [`href ${value}`];
    if (name === 'src' && !value.startsWith('data:image/png;base64,')) return [`src ${value}`];
    return [];
  });
  return [...wrongTag, ...wrong];
}
