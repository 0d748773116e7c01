import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { Markdown } from '../../src/markdown/markdown-view.tsx';
import { safeLink } from '../../src/markdown/safe-link.ts';

const html = (text: string) => renderToStaticMarkup(<Markdown text={text} />);

describe('Markdown', () => {
  it('renders common Markdown', () => {
    expect(html('**bold** *soft* ~~gone~~ `code`')).toBe(
      '<div class="md" dir="auto"><p dir="auto"><strong>bold</strong> <em>soft</em> <del>gone</del> <code dir="ltr">code</code></p></div>',
    );
  });

  it('keeps headings one level below the title of the page, in their own sizes', () => {
    expect(html('# Title')).toContain('<h2 class="md-h1" dir="auto">Title</h2>');
    expect(html('### Part')).toContain('<h2 class="md-h3" dir="auto">Part</h2>');
  });

  it('aligns table cells as specified', () => {
    const table = html('| a | b |\n|:-:|--:|\n| 1 | 2 |');

    expect(table).toContain('<th dir="auto" class="md-align-center">a</th>');
    expect(table).toContain('<td dir="auto" class="md-align-right">2</td>');
  });

  it('shows which tasks are done', () => {
    const list = html('- [x] one\n- [ ] two');

    expect(list).toMatch(/aria-label="Done".*one.*aria-label="Open".*two/s);
  });

  it('highlights known languages and leaves other code plain', () => {
    expect(html('```ts\nconst a = 1;\n```')).toContain('<span class="hl-keyword">const</span>');
    expect(html('```unknown\nconst a\n```')).toContain('<code>const a</code>');
  });

  it('keeps formulas as written, and prices as text', () => {
    expect(html('So $e = mc^2$ holds')).toContain(
      '<span class="md-math" dir="ltr">$e = mc^2$</span>',
    );
    expect(html('costs $5 or $6')).not.toContain('md-math');
    expect(html('so $a\\,b_c*d*$ and \\(x_i\\)')).toContain(
      '<span class="md-math" dir="ltr">$a\\,b_c*d*$</span> and <span class="md-math" dir="ltr">\\(x_i\\)</span>',
    );
    expect(html('Then:\n$$\n\\int_0^1 x\\,dx\n# y\n$$\nand on')).toContain(
      '<code class="md-formula" dir="ltr">$$\n\\int_0^1 x\\,dx\n# y\n$$</code><p dir="auto">and on</p>',
    );
    expect(html('$$\nno formula\n\n# Title')).toContain('Title</h2>');
  });

  it('shows raw HTML and entities as text', () => {
    expect(html('<b>x</b> &lt;i&gt;')).toContain('&lt;b&gt;x&lt;/b&gt; &lt;i&gt;');
  });

  it('names images instead of fetching them', () => {
    expect(html('![a chart](https://example.com/c.png)')).toContain('[image: a chart]');
    expect(html('![a chart](https://example.com/c.png)')).not.toContain('<img');
  });

  it('opens web links in a new tab without a referrer', () => {
    expect(html('[docs](https://example.com/a?b=c)')).toContain(
      '<a href="https://example.com/a?b=c" target="_blank" rel="noopener noreferrer nofollow"',
    );
  });
});

describe('safeLink', () => {
  it.each(['https://example.com', 'http://localhost:7070/x', 'mailto:a@example.com'])(
    'takes %s',
    (address) => expect(safeLink(address)).toBe(address),
  );

  it.each([
    'javascript:alert(1)',
    'JAVASCRIPT:alert(1)',
    'java\tscript:alert(1)',
    'https:\u0000//x',
    'https://',
    '//example.com',
    'data:text/html,x',
    'file:///etc/passwd',
    '#here',
    '',
  ])('refuses %j', (address) => expect(safeLink(address)).toBeUndefined());
});
