import { openWay } from '../test/helpers/way-of-a-picture.ts';
import { printTable } from './table.ts';

/**
 * Counts what one picture of the OpenAI mount asks of the system, from request to answer:
 * `node bench/way-of-a-picture.ts [pictures]`. One caller shares nothing with anybody; 64 callers share commits and
 * flushes.
 */
const [pictures = '400'] = process.argv.slice(2);
const CALLERS = [1, 16, 64];

const measure = await openWay();
const found: ReadonlyMap<string, number>[] = [];
for (const callers of CALLERS) found.push((await measure(Number(pictures), callers)).perPicture);
const names = [...new Set(found.flatMap((counts) => [...counts.keys()]))];
printTable(
  `One picture, average of ${pictures}`,
  ['', ...CALLERS.map((callers) => `${callers} callers`)],
  names.map((name) => [name, ...found.map((counts) => (counts.get(name) ?? 0).toFixed(2))]),
);
// The test service ends with its process.
process.exit(0);
