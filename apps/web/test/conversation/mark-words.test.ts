import { describe, expect, it } from 'vitest';
import { searchedWords } from '../../src/conversation/mark-words.ts';

describe('the words of a search', () => {
  it.each([
    ['Outcome unknown', ['outcome', 'unknown']],
    ['"not started" -later conf*', ['not started', 'conf']],
    ['agent:codex project:relay lease', ['lease']],
    ['a', []],
  ])('%s', (query, words) => expect(searchedWords(query)).toEqual(words));
});
