import type { Tool, ToolParameters } from '@robota-sdk/agent-core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { run } from './call.ts';

export interface ContractSubject {
  readonly tool: Tool;
  /** A call that succeeds. */
  readonly works: ToolParameters;
  /** A call that would take far too long; with its own tool when it needs other dependencies. */
  readonly hangs: { readonly tool?: Tool; readonly parameters: ToolParameters };
  /** A call with the largest possible output. */
  readonly floods?: ToolParameters;
  /** Tools of MCP servers answer with plain text. */
  readonly hasEnvelope?: boolean;
}

const ABORT_MS = 200;
const MOST_OUTPUT = 400_000;

/** The contract of every tool. */
export function describeToolContract(name: string, prepare: () => Promise<ContractSubject>): void {
  describe(`${name} keeps the promises of a tool`, () => {
    it('has a schema that providers accept', async () => {
      const { schema } = (await prepare()).tool;

      expect(schema.name).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
      expect(schema.description).not.toBe('');
      expect(schema.parameters.type).toBe('object');
      expect(JSON.parse(JSON.stringify(schema))).toEqual(schema);
    });

    it('succeeds with a valid envelope, twice at the same time', async () => {
      const { tool, works, hasEnvelope = true } = await prepare();

      const outcomes = await Promise.all([run(tool, works), run(tool, works)]);

      for (const outcome of outcomes) {
        expect(outcome.success).toBe(true);
        if (hasEnvelope) expect(JSON.parse(String(outcome.data))).toMatchObject({ success: true });
      }
    });

    it('never rejects, whatever its parameters', async () => {
      const { tool, works, hasEnvelope = true } = await prepare();
      if (!hasEnvelope)
        return expect((await run(tool, { nonsense: 1 })).success).toBeTypeOf('boolean');
      const nonsense = fc.oneof(
        fc.constant(null as unknown as ToolParameters),
        // Never a string under a known name, which could be a command or a path.
        fc.dictionary(
          fc.oneof(fc.constantFrom(...Object.keys(works)), fc.string()),
          fc.oneof(fc.integer(), fc.boolean(), fc.constant(null), fc.array(fc.integer())),
        ),
      );

      await fc.assert(
        fc.asyncProperty(nonsense, async (parameters) => {
          const outcome = await run(tool, parameters);
          expect(outcome).toMatchObject({ success: false, errorCode: 'invalid_arguments' });
          expect(JSON.parse(String(outcome.data))).toEqual({
            success: false,
            output: '',
            error: outcome.error,
          });
        }),
        { numRuns: 50 },
      );
    });

    it('does nothing when it is aborted before it starts', async () => {
      const { tool, works } = await prepare();

      const outcome = await run(tool, works, { signal: AbortSignal.abort() });

      expect(outcome).toMatchObject({ success: false, errorCode: 'interrupted' });
    });

    it(`ends within ${ABORT_MS} ms when it is aborted`, async () => {
      const { tool, hangs } = await prepare();
      const abort = new AbortController();
      const running = run(hangs.tool ?? tool, hangs.parameters, { signal: abort.signal });
      const outcome = running.then((result) => ({ result, at: performance.now() }));

      await new Promise((resolve) => setTimeout(resolve, 50));
      const aborted = performance.now();
      abort.abort();
      const { result, at } = await outcome;

      expect(result).toMatchObject({ success: false, errorCode: 'interrupted' });
      // Twice the documented limit, because the machine may be busy with other tests.
      expect(at - aborted).toBeLessThan(2 * ABORT_MS);
    });

    it('bounds its output', async () => {
      const { tool, works, floods = works } = await prepare();

      const { data } = await run(tool, floods);

      expect(String(data).length).toBeLessThan(MOST_OUTPUT);
    });
  });
}
