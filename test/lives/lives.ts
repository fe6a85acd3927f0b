import { parseArgs } from 'node:util';
import { live } from './life.ts';

/** `npm run lives -- --seed 1 --lives 1000`: lives so many orders, 50 with each seed from the given one on. */
const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    lives: { type: 'string', default: '500' },
    story: { type: 'boolean' },
  },
});
const ORDERS = 50;
const began = performance.now();
let [lived, deaths] = [0, 0];
const ends = new Map<string, number>();

for (let seed = Number(values.seed); lived < Number(values.lives); seed++) {
  const closing: (() => unknown)[] = [];
  const lives = await live(
    { after: (close) => void closing.unshift(() => close?.({} as never, () => {})) },
    seed,
    ORDERS,
  );
  for (const close of closing) await close();
  if (values.story === true) console.log(lives.story.join('\n'));
  lived += ORDERS;
  deaths += lives.deaths;
  for (const [status, count] of Object.entries(lives.ends)) ends.set(status, (ends.get(status) ?? 0) + count);
}
const seconds = (performance.now() - began) / 1000;
const told = [...ends].map(([status, count]) => `${count} ${status}`).join(', ');
console.log(`${lived} lives (${told}) and ${deaths} deaths of processes in ${seconds.toFixed(1)} s`);
