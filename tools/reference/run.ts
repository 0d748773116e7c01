import { writeFileSync } from 'node:fs';
import { referenceFiles } from './reference-files.ts';

// Writes what docs/ says about settings, flags, variables, routes and messages, from the code that knows it.
for (const { path, text } of referenceFiles()) writeFileSync(path, text);
