import './zlib-at-once.ts';
import { parseArgs } from 'node:util';
import { createCoverage, describeCoverage, seldomest } from './coverage.ts';
import { FailedLives } from './failed-lives.ts';
import { live, openStage } from './life.ts';
import { planOf } from './plan.ts';
import { shrink } from './shrink.ts';

/**
 * `npm run lives -- --seed 1 --lives 1000` lives so many accepted orders: with each seed from the given one on 50 are
 * sent, and those that are refused do not count. At the first seed in which a judge finds something, tells the shortest
 * story of it and exits with 1.
 */
const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    lives: { type: 'string', default: '500' },
    orders: { type: 'string', default: '50' },
    /** Prints each story. */
    story: { type: 'boolean' },
    /** Prints what was never met. */
    coverage: { type: 'boolean' },
    /** Every second seed aims at the fault that happened most seldom until now; each at this one. */
    aim: { type: 'string' },
    /** Tells the story as it is. */
    unshrunk: { type: 'boolean' },
  },
});
const orders = Number(values.orders);
const closing: (() => unknown)[] = [];
const stage = await openStage({ after: (close) => void closing.unshift(() => close?.({} as never, () => {})) });
const began = performance.now();
const beganCpu = process.cpuUsage();
let [lived, refused, deaths, simulatedMs] = [0, 0, 0, 0];
const ends = new Map<string, number>();
const coverage = createCoverage();

try {
  for (let seed = Number(values.seed); lived < Number(values.lives); seed++) {
    const aim = values.aim ?? (seed % 2 === 0 ? seldomest(coverage) : null);
    const lives = await live(stage, planOf(seed, orders, aim), { coverage });
    if (values.story === true) console.log(lives.story.join('\n'));
    lived += lives.accepted;
    refused += lives.refused;
    deaths += lives.deaths;
    simulatedMs += lives.simulatedMs;
    for (const [status, count] of Object.entries(lives.ends)) ends.set(status, (ends.get(status) ?? 0) + count);
  }
} catch (error) {
  if (!(error instanceof FailedLives)) throw error;
  process.exitCode = 1;
  const { message, story, plan, cause } = values.unshrunk === true ? error : await shrink(stage, error);
  console.log(`${story.join('\n')}\nafter ${lived} lives, ${message}\n${JSON.stringify(plan)}`);
  if (cause instanceof Error) console.log(cause.stack);
}
const seconds = (performance.now() - began) / 1000;
const { user, system } = process.cpuUsage(beganCpu);
const told = [...ends].map(([status, count]) => `${count} ${status}`).join(', ');
if (values.coverage === true) for (const line of describeCoverage(coverage)) console.log(line);
console.log(
  `${lived} lives (${told}) beside ${refused} refused orders, ${deaths} deaths of processes and ${(simulatedMs / 3_600_000).toFixed(1)} simulated hours in ${seconds.toFixed(1)} s (${((user + system) / 1e6).toFixed(1)} s of a processor)`,
);
for (const close of closing) await close();
