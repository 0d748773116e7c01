import { join } from 'node:path';
import { LabelFile } from '@robota-sdk/agent-archive';
import { listDamagedHandOvers, robotaHome, trustProblem, userPaths } from '@robota-sdk/agent-sdk';
import type { DoctorFinding } from './finding.ts';

/** Checks the small files that exist only once: labels, trusted directories, records of hand-overs. */
export async function* examineSmallFiles(): AsyncGenerator<DoctorFinding> {
  yield* examineLabels(new LabelFile(join(robotaHome(), 'labels.json')));
  yield* examineTrustFile();
  for (const path of await listDamagedHandOvers()) {
    yield {
      subject: 'Hand-over',
      state: 'problem',
      message: `${path} cannot be read`,
      advice:
        'Only undoing that hand-over needs it. Delete the session with its own program if you want to, then this file.',
    };
  }
}

function* examineLabels(labels: LabelFile): Generator<DoctorFinding> {
  const problem = labels.problem();
  if (problem !== undefined) {
    const advice = `Names, pins and archive flags are not shown. Mend the file, or leave it: the next change keeps it as ${labels.path}.damaged-… and starts a new one.`;
    yield { subject: 'Labels', state: 'problem', message: problem, advice };
  }
  for (const copy of labels.damagedCopies()) {
    yield {
      subject: 'Labels',
      state: 'note',
      message: `${copy} was kept because it could not be read`,
      advice: 'Copy the names you miss, then delete it.',
    };
  }
}

function* examineTrustFile(): Generator<DoctorFinding> {
  const problem = trustProblem();
  if (problem === undefined) return;
  const advice = `No directory is trusted. Mend the file, or leave it: the next directory you trust keeps it as ${userPaths().trust}.damaged-… and starts a new one.`;
  yield { subject: 'Trust', state: 'problem', message: problem, advice };
}
