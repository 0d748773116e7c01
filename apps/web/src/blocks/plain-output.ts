// biome-ignore lint/suspicious/noControlCharactersInRegex: these are terminal escape sequences.
const SEQUENCES = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)|[@-Z\\-_])/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: leftover control characters, and bidi characters that hide text.
const SIGNS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;

/**
 * Program output without escape sequences, control characters and bidi overrides. Not for what an agent asks to do: a
 * shell runs what this removes.
 */
export function plainOutput(text: string): string {
  return text.replace(/\r\n/g, '\n').replace(SEQUENCES, '').replace(SIGNS, '');
}
