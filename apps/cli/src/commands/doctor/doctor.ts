import { readFlags } from '../../arguments/read-flags.ts';
import { EXIT } from '../../exit-code.ts';
import type { Output } from '../../output.ts';
import { jsonText } from '../../output.ts';
import type { DoctorFinding } from './finding.ts';

const FLAGS = {
  repair: { type: 'boolean' },
  json: { type: 'boolean' },
  debug: { type: 'boolean' },
} as const;

const MARKS: Readonly<Record<DoctorFinding['state'], string>> = {
  ok: '✓',
  note: '·',
  problem: '✗',
};

/** Reports what works, what does not, and what to do. Exit code 1 if there is a problem. */
export async function runDoctor(args: readonly string[], output: Output): Promise<number> {
  const { values } = readFlags(args, FLAGS);
  const { examine } = await import('./examine.ts');
  const findings: DoctorFinding[] = [];
  for await (const finding of examine(process.cwd(), { isRepairing: values.repair === true })) {
    findings.push(finding);
    if (!values.json) output.writeLine(findingLine(finding));
  }
  if (values.json) output.writeLine(jsonText(findings));
  const problems = findings.filter(({ state }) => state === 'problem').length;
  if (!values.json)
    output.note(problems === 0 ? 'No problems found.' : `${problems} problem(s) found.`);
  return problems === 0 ? EXIT.done : EXIT.failed;
}

function findingLine({ state, subject, message, advice }: DoctorFinding): string {
  return `${MARKS[state]} ${subject}: ${message}${advice ? `\n    ${advice}` : ''}`;
}
