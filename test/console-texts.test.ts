import assert from 'node:assert/strict';
import { test } from 'node:test';
import { firstGerman } from '../console/src/texts/de/first-german.ts';
import { german as pageGerman } from '../console/src/texts/de/german.ts';
import { firstKnown } from '../console/src/texts/language.ts';

const german = { ...firstGerman, ...pageGerman };
/** Every English file of texts, by the name of its German one. */
const english: Readonly<Record<keyof typeof german, unknown>> = {
  batches: (await import('../console/src/texts/batches.ts')).batchTexts,
  endUsers: (await import('../console/src/texts/end-users.ts')).endUserTexts,
  frame: (await import('../console/src/texts/frame.ts')).frameTexts,
  history: (await import('../console/src/texts/history.ts')).historyTexts,
  keys: (await import('../console/src/texts/keys.ts')).keysTexts,
  light: (await import('../console/src/texts/light.ts')).lightTexts,
  local: (await import('../console/src/texts/local.ts')).localTexts,
  operations: (await import('../console/src/texts/operations.ts')).operationsTexts,
  options: (await import('../console/src/texts/options.ts')).optionTexts,
  orders: (await import('../console/src/texts/orders.ts')).orderTexts,
  requests: (await import('../console/src/texts/requests.ts')).requestTexts,
  selection: (await import('../console/src/texts/selection.ts')).selectionTexts,
  shares: (await import('../console/src/texts/shares.ts')).shareTexts,
  studio: (await import('../console/src/texts/studio.ts')).studioTexts,
  trends: (await import('../console/src/texts/trends.ts')).trendsTexts,
  usage: (await import('../console/src/texts/usage.ts')).usageTexts,
  webhooks: (await import('../console/src/texts/webhooks.ts')).webhookTexts,
};
/** Names, commands, and words that German took over. */
const SAME_IN_BOTH = [
  'Admin',
  'Darkroom',
  'Engine',
  'Engines',
  'HD',
  'HDR',
  'JSON',
  'Limits',
  'Live',
  'Median',
  'Name',
  'Prompt',
  'Prompts',
  'Remix',
  'Route',
  'Seed',
  'Seeds',
  'Status',
  'Studio',
  'TEST',
  'Test',
  'Trends',
  'Variation',
  'Video',
  'Videos',
  'Webhook',
  'Webhooks',
  'Worker',
  'Video: 1 | Video: 2 | Video: x',
  'https://',
  'dk_admin_',
  'dk_live_',
  'dk_test_',
  'dk_test_…',
  'npm run -s darkroom -- keys create --mode admin',
  'npm run -s darkroom -- keys create --mode test',
  // Prompts for the built-in illustrator, which reads English.
  'A city at night in the rain, neon lights',
  'A lighthouse on a cliff at dusk, waves below',
  'Snowy mountains above a lake at sunset, a red house',
];

test('every text has its German one, at the same place and with the same parameters', () => {
  const shapeOf = (texts: unknown) =>
    [...leavesOf(texts)].map(([path, text]) => (typeof text === 'function' ? `${path}/${text.length}` : path));
  assert.deepEqual(shapeOf(german).sort(), shapeOf(english).sort());
});

test('no German text is the English one, except for names and words that are the same in both', () => {
  const germanTexts = new Map(leavesOf(german));
  const same = [...leavesOf(english)]
    .filter(([path, text]) => !path.endsWith('.value') && wordsOf(text) === wordsOf(germanTexts.get(path)))
    .map(([, text]) => wordsOf(text))
    .filter((words) => /\p{L}{2}/u.test(words));
  assert.deepEqual([...new Set(same)].sort(), SAME_IN_BOTH.toSorted());
});

test('the first language of the browser that the console has decides', () => {
  assert.equal(firstKnown(['de-AT', 'en']), 'de');
  assert.equal(firstKnown(['en-GB', 'de']), 'en');
  assert.equal(firstKnown(['fr-FR', 'DE']), 'de');
  assert.equal(firstKnown(['fr', 'den']), 'en');
  assert.equal(firstKnown([]), 'en');
});

/** Every text and function of an object, with the path to it. */
function* leavesOf(texts: unknown, path = ''): Generator<[path: string, text: unknown]> {
  if (typeof texts !== 'object' || texts === null) yield [path, texts];
  else for (const [name, text] of Object.entries(texts)) yield* leavesOf(text, `${path}.${name}`);
}

/** What a text says; what a function says of one, of two and of a name. */
function wordsOf(text: unknown): string {
  if (typeof text !== 'function') return String(text);
  return [1, 2, 'x'].map((sample) => said(text as Parameters<typeof said>[0], sample)).join(' | ');
}

/** Empty for a function of names that is given a number. */
function said(text: (...given: readonly unknown[]) => unknown, sample: unknown): string {
  try {
    return String(text(sample, sample, sample));
  } catch {
    return '';
  }
}
