import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { root } from './packed.ts';
import { SAMPLE_COMPILER_OPTIONS } from './samples.ts';

const run = promisify(execFile);

/** How a sample program ended. */
export interface ProgramEnd {
  readonly code: number;
  readonly output: string;
}

/** Compiles the samples of a project; returns the compiler's output, empty on success. */
export async function compileSamples(
  folder: string,
  options: { readonly exactOptionalPropertyTypes: boolean },
): Promise<string> {
  const compilerOptions = { ...SAMPLE_COMPILER_OPTIONS, ...options };
  const project = join(folder, `tsconfig.${options.exactOptionalPropertyTypes}.json`);
  writeFileSync(project, JSON.stringify({ compilerOptions, include: ['samples'] }));
  const compiler = join(root, 'node_modules/typescript/bin/tsc');
  return run(process.execPath, [compiler, '-p', project], { cwd: folder }).then(
    () => '',
    ({ stdout, stderr }: { stdout: string; stderr: string }) => `${stdout}${stderr}`,
  );
}

/** Runs a compiled sample as a reader would: in the project, with a key and a local fake vendor. */
export async function runSample(
  folder: string,
  program: string,
  { node = process.execPath, vendor }: { readonly node?: string; readonly vendor: string },
): Promise<ProgramEnd> {
  const home = join(folder, 'home', program);
  mkdirSync(home, { recursive: true });
  const env = {
    PATH: process.env.PATH ?? '',
    HOME: home,
    ANTHROPIC_API_KEY: 'sk-ant-sample-key-0123456789',
    ANTHROPIC_BASE_URL: vendor,
  };
  const options = { cwd: folder, env, timeout: 60_000 };
  return run(node, [join(folder, 'built', program)], options).then(
    ({ stdout, stderr }) => ({ code: 0, output: stdout + stderr }),
    (failure: { code?: number; stdout: string; stderr: string }) => ({
      code: failure.code ?? 1,
      output: failure.stdout + failure.stderr,
    }),
  );
}
