import { test } from 'node:test';
import { deedTests } from './deed-bench.ts';

/** The forms and buttons for orders in trouble against answers that are lost. */

for (const [name, run] of await deedTests('trouble')) test(name, run);
