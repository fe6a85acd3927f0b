import { test } from 'node:test';
import { deedTests } from './deed-bench.ts';

/** The forms and buttons of operators, and of local models, against answers that are lost. */

for (const [name, run] of await deedTests('operations')) test(name, run);
