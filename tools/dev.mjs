// Runs the program from its sources, without a build: `npm run dev -- -p hello`.
import process from 'node:process';
import { register } from 'tsx/esm/api';

register();
// npm changes the directory to the repository; the program works where it was called.
process.chdir(process.env.INIT_CWD ?? process.cwd());
const { runAsProcess } = await import('../apps/cli/src/main.ts');
await runAsProcess();
