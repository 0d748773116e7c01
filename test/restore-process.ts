// Test files share a worker process: what a file changes in the environment or the working directory ends with it.
import process from 'node:process';
import { afterAll, beforeAll } from 'vitest';

let environment: NodeJS.ProcessEnv = {};
let directory = '';

beforeAll(() => {
  environment = { ...process.env };
  directory = process.cwd();
});

afterAll(() => {
  process.chdir(directory);
  for (const name of Object.keys(process.env)) {
    if (!(name in environment)) delete process.env[name];
  }
  Object.assign(process.env, environment);
});
