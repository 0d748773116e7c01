import type { ConversationBlock } from '@robota-sdk/agent-transcript';

const RUN = 'window.__ran=1';

/** Markup that executes, loads or changes the surrounding page. */
const MARKUP = [
  `<script>${RUN}</script>`,
  `<ScRiPt>${RUN}</sCrIpT>`,
  `<script src=https://evil.invalid/a.js></script>`,
  `<img src=x onerror="${RUN}">`,
  `<img src=x onerror=${RUN}//`,
  `<img/src=x/onerror=${RUN}>`,
  `<svg onload="${RUN}"><a xlink:href="javascript:${RUN}"><text>x</text></a></svg>`,
  `<svg><script>${RUN}</script></svg>`,
  `<svg><animate onbegin=${RUN} attributeName=x dur=1s>`,
  `<math><mtext></form><form><mglyph><style></math><img src onerror=${RUN}>`,
  `<iframe srcdoc="<script>parent.__ran=1</script>"></iframe>`,
  `<iframe src="javascript:parent.__ran=1"></iframe>`,
  `<object data="javascript:${RUN}"></object>`,
  `<embed src="javascript:${RUN}">`,
  `<style>*{display:none}</style>`,
  `<style>@import url(https://evil.invalid/a.css)</style>`,
  `<link rel=stylesheet href=https://evil.invalid/a.css>`,
  `<base href="https://evil.invalid/">`,
  `<meta http-equiv=refresh content="0;url=https://evil.invalid">`,
  `<details open ontoggle=${RUN}>x</details>`,
  `<input autofocus onfocus=${RUN}>`,
  `<video><source onerror=${RUN}></video>`,
  `<audio src=x onerror=${RUN}>`,
  `<body onload=${RUN}>`,
  `<marquee onstart=${RUN}>`,
  `<template><img src=x onerror=${RUN}></template>`,
  `<noscript><p title="</noscript><img src=x onerror=${RUN}>">`,
  `<a href="javascript:${RUN}">x</a>`,
  `<form action="javascript:${RUN}"><button>x</button></form>`,
  `<div style="background:url(https://evil.invalid/x.png)">x</div>`,
  `</style></script></title></textarea><img src=x onerror=${RUN}>`,
  `--><img src=x onerror=${RUN}><!--`,
  `]]><img src=x onerror=${RUN}>`,
  `"><img src=x onerror=${RUN}>`,
  `' onmouseover='${RUN}' x='`,
  `\u003cimg src=x onerror=${RUN}\u003e`,
  `&lt;script&gt;${RUN}&lt;/script&gt;`,
  `&#60;img src=x onerror=${RUN}&#62;`,
  `&#x3c;img src=x onerror=${RUN}&#x3e;`,
];

const ADDRESSES = [
  `javascript:${RUN}`,
  `JaVaScRiPt:${RUN}`,
  `java\tscript:${RUN}`,
  `java\nscript:${RUN}`,
  `\u0001javascript:${RUN}`,
  ` javascript:${RUN}`,
  `&#106;avascript:${RUN}`,
  `&#x6A;avascript:${RUN}`,
  `javascript&colon;${RUN}`,
  `javascript&#58;${RUN}`,
  `%6Aavascript:${RUN}`,
  `vbscript:msgbox(1)`,
  `data:text/html,<script>${RUN}</script>`,
  `data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==`,
  `data:image/svg+xml,<svg onload=${RUN}>`,
  `//evil.invalid/x`,
  `\\\\evil.invalid\\x`,
  `file:///etc/passwd`,
  `blob:https://evil.invalid/1`,
  `https://evil.invalid/?a="onmouseover="${RUN}`,
  `https://evil.invalid/\u202egnp.exe`,
  `https:javascript:${RUN}`,
  `filesystem:http://evil.invalid/`,
  `jar:http://evil.invalid!/x`,
];

/** Ways to put a URL into Markdown. */
const LINKS: readonly ((address: string) => string)[] = [
  (address) => `[a](${address})`,
  (address) => `[a](<${address}>)`,
  (address) => `![i](${address})`,
  (address) => `[x]: ${address}\n\n[x]`,
  (address) => `<${address}>`,
  (address) => `[**b** ![i](${address})](${address} "t\\" onmouseover=\\"${RUN}")`,
];

/** Ways to put raw markup into Markdown. */
const PLACES: readonly ((markup: string) => string)[] = [
  (markup) => markup,
  (markup) => `text ${markup} text`,
  (markup) => `**${markup}**`,
  (markup) => `\`${markup}\``,
  (markup) => `# ${markup}`,
  (markup) => `- ${markup}\n- [x] ${markup}`,
  (markup) => `> ${markup}`,
  (markup) => `| ${markup} | b |\n|:--|--:|\n| ${markup} | c |`,
  (markup) => `\`\`\`html\n${markup}\n\`\`\``,
  (markup) => `\`\`\`${markup}\ncode\n\`\`\``,
  (markup) => `$$\n${markup}\n$$`,
];

const OTHERS = [
  'constructor',
  '__proto__',
  `{{constructor.constructor("${RUN}")()}}`,
  `\${${RUN}}`,
  '\u202Egnp.exe',
  '\u001b[31mred\u001b[0m\u001b]8;;javascript:1\u0007x\u001b]8;;\u0007',
  `$\\href{javascript:${RUN}}{x}$`,
  `$$\\unicode{<img src=x onerror=${RUN}>}$$`,
];

/** Texts that would be harmful as markup. */
export const XSS_CORPUS: readonly string[] = [
  ...MARKUP.flatMap((markup) => PLACES.map((place) => place(markup))),
  ...ADDRESSES.flatMap((address) => LINKS.map((link) => link(address))),
  ...OTHERS,
];

/** The text in every block type and every visible field. */
export function hostileBlocks(text: string, name: string): ConversationBlock[] {
  const timestamp = '2026-11-16T12:00:00.000Z';
  const call = (id: string, toolName: string, input: Record<string, unknown>) =>
    ({
      type: 'tool_use',
      id: `${name}-${id}`,
      timestamp,
      toolName,
      toolUseId: `${name}-${id}`,
      input,
      status: 'error',
    }) as const;
  const answer = (id: string, output: unknown, isMarkdown = false) =>
    ({
      type: 'tool_result',
      id: `${name}-${id}-result`,
      timestamp,
      toolUseId: `${name}-${id}`,
      output,
      isError: true,
      renderOutputAsMarkdown: isMarkdown,
    }) as const;
  const image = { type: 'base64', data: text, mediaType: 'image/png' } as const;
  return [
    { type: 'user_message', id: `${name}-user`, timestamp, content: text },
    {
      type: 'user_message',
      id: `${name}-parts`,
      timestamp,
      content: [
        { type: 'text', text },
        { type: 'image', source: image },
        { type: 'image', source: { ...image, data: 'aGk=', mediaType: 'image/svg+xml' } },
        { type: 'image', source: { type: 'url', data: text } },
        { type: 'document', source: image, title: text },
      ],
    },
    { type: 'assistant_text', id: `${name}-text`, timestamp, content: text },
    { type: 'thinking', id: `${name}-thinking`, timestamp, content: text, summary: text },
    { type: 'system', id: `${name}-status`, timestamp, subtype: 'status', message: text },
    { type: 'system', id: `${name}-error`, timestamp, subtype: 'error', message: text },
    {
      type: 'subagent',
      id: `${name}-agent`,
      timestamp,
      subagentId: text,
      name: text,
      input: text,
      output: text,
      status: 'error',
    },
    call('bash', 'Bash', { command: text }),
    answer('bash', text),
    call('edit', 'Edit', { file_path: text, old_string: 'a', new_string: text }),
    answer('edit', text),
    call('other', text, { [text]: text, nested: { text } }),
    answer(
      'other',
      [
        { type: 'text', text },
        { type: 'image', source: image },
      ],
      true,
    ),
    answer('lone', { text }),
  ];
}
