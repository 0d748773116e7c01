// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the sequences that terminals obey.
const SEQUENCES = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)|[@-Z\\-_])/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: what is left of them, and signs that hide text.
const SIGNS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;

/** What a program printed, without colours, cursor movements and signs that turn the reading direction. */
export function plainOutput(text: string): string {
  return text.replace(/\r\n/g, '\n').replace(SEQUENCES, '').replace(SIGNS, '');
}
