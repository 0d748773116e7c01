import { rows } from './session/entries.bench.ts';
const row = rows[Number(process.argv[2])]!;
console.log(await row.measure());
