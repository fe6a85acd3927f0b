import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { copyTree } from './copy-tree.ts';
import { runLives } from './run-lives.ts';
import { type Outcome, runNearTest } from './run-near-test.ts';
import { applySlip, type NearTest, type Slip } from './slip.ts';
import { SLIPS } from './slips.ts';

/**
 * Asks whether the tests guard the promises: `npm run slips [-- [--only 12,16] [--severity 1] [--lives]]`. Applies one
 * slip at a time in a copy of the repository, runs the tests nearest to it, and expects one of them to fail. With
 * `--lives` it lives orders instead (test/lives), and expects a judge to find something. Exits with 1 if a slip of the
 * first severity survives, if fewer than 64 of all are red, or if one of a selection is not.
 */
const LEAST_RED = 64;
const ROOT = join(import.meta.dirname, '..', '..');
/** A test gets so many times what it took without a slip, and not less than this. */
const PATIENCE = 5;
const LEAST_LIMIT_MS = 20_000;
const BASELINE_LIMIT_MS = 180_000;
const LIVES_LIMIT_MS = 900_000;

type Verdict = 'red' | 'red, by the time limit' | 'survived' | 'not applicable';
interface Judged {
  readonly slip: Slip;
  readonly verdict: Verdict;
  readonly by: string;
  readonly ms: number;
}

const { values } = parseArgs({
  options: { only: { type: 'string' }, severity: { type: 'string' }, lives: { type: 'boolean', default: false } },
});
const only = values.only?.split(',');
const unknown = only?.find((id) => !SLIPS.some((slip) => slip.id === id));
if (unknown !== undefined) throw new Error(`--only: there is no slip ${unknown}; expected some of ${idsOf(SLIPS)}`);
const ofKind = SLIPS.filter(({ tests, lives }) => (values.lives ? lives !== undefined : tests.length > 0));
const slips = ofKind.filter(
  ({ id, severity }) => (only?.includes(id) ?? true) && (values.severity ?? `${severity}`) === `${severity}`,
);
if (slips.length === 0) throw new Error('no slip is both among --only and of --severity');

const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());
await using tree = await copyTree(ROOT);
// Keeps the database server of the copy, which ends after the last process that uses it.
const { postgresServer } = (await import(
  pathToFileURL(join(tree.root, 'test/helpers/postgres-server.ts')).href
)) as typeof import('../helpers/postgres-server.ts');
if (!values.lives) await postgresServer();
/** How long each run of tests takes without a slip. */
const baseline = new Map<string, number>();
const judged: Judged[] = [];
for (const slip of slips) {
  const one = await judge(slip);
  if (stop.signal.aborted) break;
  judged.push(one);
  console.log(
    [slip.id.padEnd(3), `S${slip.severity}`, one.verdict.padEnd(22), `${(one.ms / 1000).toFixed(1)} s`, one.by].join(
      '  ',
    ),
  );
}
report();

/**
 * Runs tests without a slip, once: only of those that pass then is it known what a slip does to them.
 * @returns how long they take, in milliseconds
 * @throws Error if they fail
 */
async function pass(test: NearTest): Promise<number> {
  const name = JSON.stringify(test);
  const known = baseline.get(name);
  if (known !== undefined) return known;
  const outcome = await runNearTest(tree.root, test, BASELINE_LIMIT_MS, stop.signal);
  if (outcome.kind === 'red') throw new Error(`${name} fails without a slip: ${outcome.first}`);
  baseline.set(name, outcome.ms);
  return outcome.ms;
}

async function judge(slip: Slip): Promise<Judged> {
  const path = join(tree.root, slip.file);
  const source = await readFile(path, 'utf8');
  let slipped: string;
  try {
    slipped = applySlip(slip, source);
    if (!values.lives) for (const test of slip.tests) await pass(test);
  } catch (error) {
    return { slip, verdict: 'not applicable', by: (error as Error).message, ms: 0 };
  }
  await writeFile(path, slipped);
  try {
    return { slip, ...(await (values.lives ? found(slip) : firstRed(slip.tests))) };
  } finally {
    await writeFile(path, source);
  }
}

async function found({ lives = 0 }: Slip): Promise<Omit<Judged, 'slip'>> {
  const outcome = await runLives(tree.root, lives, LIVES_LIMIT_MS, stop.signal);
  if (outcome.kind === 'green') return { verdict: 'survived', by: `${lives} lives`, ms: outcome.ms };
  return { verdict: outcome.isTimeout ? 'red, by the time limit' : 'red', by: outcome.first, ms: outcome.ms };
}

async function firstRed(tests: readonly NearTest[]): Promise<Omit<Judged, 'slip'>> {
  let ms = 0;
  for (const test of tests) {
    const limitMs = Math.max(LEAST_LIMIT_MS, PATIENCE * (await pass(test)));
    const outcome: Outcome = await runNearTest(tree.root, test, Math.round(limitMs), stop.signal);
    ms += outcome.ms;
    if (outcome.kind === 'green') continue;
    const verdict = outcome.isTimeout ? 'red, by the time limit' : 'red';
    return { verdict, by: `${test.file}: ${outcome.first}`, ms };
  }
  return { verdict: 'survived', by: tests.map(({ file }) => file).join(', '), ms };
}

function report(): void {
  const of = (...verdicts: Verdict[]) => judged.filter(({ verdict }) => verdicts.includes(verdict));
  const red = of('red', 'red, by the time limit');
  const missed = of('survived', 'not applicable');
  for (const { slip, verdict } of missed) console.log(`${slip.id} ${verdict}: ${slip.promise}`);
  console.log(
    `${judged.length} slips: ${red.length} red (${of('red, by the time limit').length} of them only by the time limit), ${of('survived').length} survived, ${of('not applicable').length} not applicable`,
  );
  const least = !values.lives && slips.length === ofKind.length ? LEAST_RED : slips.length;
  if (red.length < least || missed.some(({ slip }) => slip.severity === 1)) process.exitCode = 1;
}

function idsOf(all: readonly Slip[]): string {
  return all.map(({ id }) => id).join(', ');
}
