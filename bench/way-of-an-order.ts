import { DOORS, openWayOfOrders } from '../test/helpers/way-of-an-order.ts';
import { printTable } from './table.ts';

/** Prints the statements of one order on SQLite with the place that runs each: `node bench/way-of-an-order.ts`. */
const measure = await openWayOfOrders({ after() {} }, null);
for (const door of Object.keys(DOORS) as (keyof typeof DOORS)[]) {
  const { statements, commits, list } = await measure(door);
  printTable(
    `One order, ${door}: ${statements} statements, ${commits} commits`,
    ['statement', 'place'],
    list.map((line) => line.split(' @ ')),
  );
}
// The test service ends with its process.
process.exit(0);
