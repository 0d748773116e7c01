import { createHash, randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createRedactor } from '../../../src/log/redact/redactor.ts';
import { createFill, leaks, plant, SECRET_KINDS } from './secret-kinds.ts';

const redactor = createRedactor({ salt: 'pepper' });

/** Kinds that are known by their beginning alone, wherever it stands. */
const DISTINCT = [
  'anthropic',
  'openai',
  'openai_service',
  'openrouter',
  'groq',
  'xai',
  'github_pat',
  'github_fine',
  'gitlab',
  'npm',
  'slack_bot',
  'stripe',
  'stripe_hook',
  'digitalocean',
  'pypi',
  'linear',
  'age',
  'nvidia',
  'langsmith',
  'rubygems',
  'docker_pat',
  'planetscale',
  'brevo',
];

const WORDS = ['x', 'key', 'KEY', '1', '_', 'my_', 'a-', 'é', '중', 'APIKEY', 'Bearer'];

describe.each(DISTINCT)('a key of the kind %s', (kind) => {
  it('is not seen directly behind a word', () => {
    const fill = createFill(11);
    const seen = WORDS.flatMap((word) => {
      const { text, parts } = plant(SECRET_KINDS[kind] ?? '', fill);
      return leaks(redactor.redactText(`see ${word}${text} there`), parts);
    });

    expect(seen).toEqual([]);
  });

  it('is not seen behind a word when it arrives in pieces', () => {
    const fill = createFill(12);
    const { text } = plant(SECRET_KINDS[kind] ?? '', fill);
    const whole = `tokens: my${text}, and more words behind it`;

    for (let size = 1; size < 12; size++) {
      const stream = redactor.createStream();
      let given = '';
      for (let at = 0; at < whole.length; at += size)
        given += stream.push(whole.slice(at, at + size));
      expect(given + stream.flush()).toBe(redactor.redactText(whole));
    }
  });
});

it('words, ids, hashes and encoded bytes that contain the beginning of a key stay', () => {
  const sha = createHash('sha1').update('x').digest('hex');
  const ordinary = [
    `task-${sha} disk-${sha} risk-4f0c9f5e-8d5a-4f0e-9d7a-0c1b2a3d4e5f`,
    `network_test_${sha} task_test_20261117_103810_abcdef work_live_${sha}`,
    'assess-0123456789abcdef0123456789abcdef reassess-Ab12Cd34Ef56Gh78Ij90Kl12Mn34',
    `xghp_short xnpm_config_registry_value_of_something my_github_pat_name`,
    'unask-ant-colony-optimisation-algorithm-example desk-proj-management-for-small-teams',
    'npm_package_dependencies_typescript_version gtghs_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa',
  ].join('\n');

  expect(redactor.redactText(ordinary)).toBe(ordinary);
  const encoded = randomBytes(300_000).toString('hex');
  expect(redactor.redactText(encoded)).toBe(encoded);
});

it('encrypted text that happens to contain the beginning of a key stays', () => {
  const fill = createFill(13);
  const block = `gAAAAAB${fill(50)}ghp_${fill(40)}-${fill(30)}xai-${fill(60)}_${fill(20)}`;

  expect(redactor.redactText(block)).toBe(block);
});
