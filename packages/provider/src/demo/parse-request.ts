import type { Intent } from './intent.ts';

type Rule = readonly [pattern: RegExp, toIntent: (match: RegExpExecArray) => Intent | undefined];

/** Parses a request. The first matching rule wins, so specific rules come first. */
export function parseRequest(request: string): Intent {
  const text = request.trim();
  for (const [pattern, toIntent] of RULES) {
    const match = pattern.exec(text);
    const intent = match && toIntent(match);
    if (intent) return intent;
  }
  return { kind: 'unknown' };
}

const POLITE = String.raw`^(?:please\s+|can you\s+|could you\s+|now\s+|then\s+|and\s+)*`;

const RULES: readonly Rule[] = [
  [
    /^(?:.{0,200}\b)?summar(?:ise|ize)\b|^.{0,80}\b(?:a|the|this|short|concise|detailed) summary\b/i,
    () => ({ kind: 'summary' }),
  ],
  [
    rule(String.raw`fail\b(?:\s+(?:on purpose|with|by))?\s*(.*)`),
    ([, how = '']) => ({ kind: 'fail', how }),
  ],
  [
    rule(
      String.raw`(?:ask|spawn|start|use|launch)\s+(?:a\s+|an\s+|the\s+)?(?:sub-?)?agent\s*(?:to|for|:)?\s*(.*)`,
    ),
    ([, task = '']) => ({ kind: 'delegate', task: task || 'list files' }),
  ],
  [
    rule(String.raw`delegate\s*(?:to\s+(?:a\s+|an\s+)?(?:sub-?)?agent)?\s*:?\s*(.*)`),
    ([, task = '']) => ({ kind: 'delegate', task: task || 'list files' }),
  ],
  [
    rule(
      String.raw`(?:say|write|tell me|give me)\s+(?:me\s+)?(?:something|a)\s+(?:very\s+)?long\b`,
    ),
    () => ({ kind: 'long' }),
  ],
  [
    rule(
      String.raw`(?:make|write|give me|draw up)\s+(?:me\s+)?(?:a\s+)?plan\s*(?:for|to|:)?\s*(.*)|${POLITE}plan\s+(.+)`,
    ),
    ([, first, second]) => ({ kind: 'plan', goal: first || second || 'this' }),
  ],
  [
    rule(
      String.raw`(?:in|edit)\s+(\S+?)[,:]?\s+(?:and\s+)?(?:replace|change)\s+(.+?)\s+(?:with|by|to|into)\s+(.+)`,
    ),
    ([, path = '', from = '', to = '']) => edit(path, from, to),
  ],
  [
    rule(
      String.raw`(?:replace|change|edit)\s+(.+?)\s+(?:with|by|to|into)\s+(.+?)\s+in\s+(?:the\s+file\s+)?(\S+)`,
    ),
    ([, from = '', to = '', path = '']) => edit(path, from, to),
  ],
  [
    rule(
      String.raw`(?:write|create|make)\s+(?:a\s+|the\s+)?(?:new\s+)?(?:file\s+)?(?:called\s+|named\s+)?(\S+)\s+(?:with|containing|saying)(?:\s+(?:the\s+)?(?:content|text))?:?\s+([\s\S]+)`,
    ),
    ([, path = '', content = '']) => ({ kind: 'write', path: bare(path), content: lines(content) }),
  ],
  [
    rule(String.raw`write\s+([\s\S]+?)\s+(?:to|into)\s+(?:the\s+|a\s+)?(?:file\s+)?(\S+)$`),
    ([, content = '', path = '']) => ({ kind: 'write', path: bare(path), content: lines(content) }),
  ],
  [
    rule(String.raw`(?:run|execute|!)\s*:?\s*([\s\S]+)`),
    ([, command = '']) => ({ kind: 'run', command: bare(firstClause(command)) }),
  ],
  [
    rule(String.raw`(?:look|have a look|take a look)\s+(?:at|into|through)\s+(.+)`),
    ([, paths = '']) => read(paths),
  ],
  [
    rule(
      String.raw`(?:search|grep|look)\s+(?:the\s+(?:files|code|project)\s+)?(?:for\s+)?(.+?)(?:\s+in\s+(\S+))?$`,
    ),
    ([, pattern = '', path]) => ({ kind: 'search', pattern: bare(pattern), path: place(path) }),
  ],
  [
    rule(
      String.raw`(?:list|ls|show)\b(?:\s+me)?(?:\s+(?:all|the))*\s*(\*\S*)?\s*(?:files|folder|directory)?(?:\s+here|\s+(?:in|of|under|from)\s+(\S+))?[.!?]?$`,
    ),
    ([, pattern, path]) => ({ kind: 'list', pattern: pattern ?? '*', path: place(path) }),
  ],
  [/^what\s+files\b|^which\s+files\b/i, () => ({ kind: 'list', pattern: '*', path: undefined })],
  [
    rule(String.raw`(?:find)\s+(?:all\s+)?(\S*\*\S*)(?:\s+in\s+(\S+))?`),
    ([, pattern = '*', path]) => ({ kind: 'list', pattern: bare(pattern), path: place(path) }),
  ],
  [
    rule(String.raw`find\s+(.+?)(?:\s+in\s+(\S+))?$`),
    ([, pattern = '', path]) => ({ kind: 'search', pattern: bare(pattern), path: place(path) }),
  ],
  [
    rule(String.raw`(?:read|open|show|cat|view|print)\s+(?:me\s+)?(?:the\s+)?(?:files?\s+)?(.+)`),
    ([, paths = '']) => read(paths),
  ],
  [
    rule(String.raw`(?:tell|explain|describe|what|how|why|where|does|is)\b(.+)`),
    ([, sentence = '']) => read(sentence, pathsNamedIn(sentence)),
  ],
  [
    rule(String.raw`think\s*(?:hard\s+)?(?:about|of|over)?\s*(.*)`),
    ([, about = '']) => ({ kind: 'think', about: about || 'this' }),
  ],
  [
    rule(String.raw`(?:hi|hello|hey|help|what can you do|who are you)\b`),
    () => ({ kind: 'greeting' }),
  ],
];

function rule(body: string): RegExp {
  return new RegExp(POLITE + body, 'i');
}

function edit(path: string, from: string, to: string): Intent {
  return { kind: 'edit', path: bare(path), from: bare(from), to: bare(to) };
}

/** Removes surrounding quotes or backticks, or trailing punctuation. */
function bare(text: string): string {
  const trimmed = text.trim().replace(/^(["'`])([\s\S]*)\1[.,;!?]?$/, '$2');
  return trimmed === text.trim() ? trimmed.replace(/[,;!?]$|(?<=\w)\.$/, '') : trimmed;
}

function lines(content: string): string {
  return bare(content).replaceAll('\\n', '\n');
}

function place(path: string | undefined): string | undefined {
  const name = path === undefined ? '' : bare(path);
  return name === '' || /^(?:here|this|the|project)$/i.test(name) ? undefined : name;
}

/** `undefined` if no word is a file name. */
function read(words: string, paths = pathsIn(words)): Intent | undefined {
  return paths.length === 0 ? undefined : { kind: 'read', paths };
}

/** The first clause: “a.txt and tell me what it says” is about a.txt. */
function firstClause(words: string): string {
  const [first = ''] = words.split(
    /[,;]?\s+(?:and|then|so|to|please|for me)\s+(?=(?:then\s+)?(?:tell|say|explain|describe|show|give|let|report|summar|answer|check|see|help|you|i|we|me)\b)/i,
  );
  return first;
}

/** Names that look like files; otherwise single words separated by commas and “and”. */
function pathsIn(words: string): string[] {
  const clause = firstClause(words);
  const named = pathsNamedIn(clause);
  if (named.length > 0) return named;
  const pieces = clause
    .replace(/^(?:(?:the|a|my|our|this|file|files)\s+)+/i, '')
    .split(/\s*,\s*|\s+and\s+/i)
    .map(bare)
    .filter((piece) => piece !== '');
  return pieces.every((piece) => !/\s/.test(piece) && !NO_FILES.test(piece)) ? pieces : [];
}

const NO_FILES =
  /^(?:me|it|this|that|them|what|how|why|where|who|something|anything|more|us|you)$/i;

/** File names: with a dot or a slash, or well-known names without. */
function pathsNamedIn(words: string): string[] {
  const tokens = words.match(/"[^"]+"|`[^`]+`|'[^']+'|\S+/g) ?? [];
  return tokens
    .map((token) => bare(token.replace(/[),:]+$/, '')))
    .filter((token) =>
      /^[\w@~./+-]*\w[./][\w./+-]*\w$|^\.{0,2}\/\S+$|^\.\w[\w.]*$|^(?:makefile|dockerfile|license|readme)$/i.test(
        token,
      ),
    );
}
