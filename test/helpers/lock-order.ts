import { subscribe } from 'node:diagnostics_channel';
import { TAKEN_LOCKS, type TakenLock } from '@darkroom-service/store';

/** What the names of locks begin with that are not listed. */
const ANY_OTHER = '';
/**
 * The order in which a unit takes its locks, by what their names begin with: two units that took the same locks in
 * different orders would wait for each other. Locks of one kind are taken in the order of their names.
 */
const ORDER = ['deed', ANY_OTHER, 'batches', 'batch', 'spend', 'end_user', 'account', 'stored', 'queue', 'slots'];

const lastOf = new WeakMap<object, { readonly held: Set<string>; place: number; name: string }>();

/** A subscriber that throws ends the test that runs. */
subscribe(TAKEN_LOCKS, (message) => {
  const { unit, name, afterWrite } = message as TakenLock;
  const kind = name.split(':')[0] ?? '';
  // A test of what happens if two units do wait for each other.
  if (kind === 'deadlock') return;
  const place = ORDER.indexOf(ORDER.includes(kind) ? kind : ANY_OTHER);
  const last = lastOf.get(unit);
  if (last?.held.has(name)) return;
  if (afterWrite && !holdsDeed(last?.held))
    throw new Error(`expected '${name}' to be locked before anything is written: others may wait for what was`);
  if (last === undefined) return void lastOf.set(unit, { held: new Set([name]), place, name });
  if (place < last.place || (place === last.place && name < last.name))
    throw new Error(
      `expected '${name}' to be locked before '${last.name}': see the order in test/helpers/lock-order.ts`,
    );
  last.held.add(name);
  Object.assign(last, { place, name });
});

/** The row of a deed is written under its lock, which is the first of all: nobody waits for the row alone. */
function holdsDeed(held: ReadonlySet<string> = new Set()): boolean {
  return [...held].some((name) => name.startsWith('deed:'));
}
