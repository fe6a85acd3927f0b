import { test } from 'node:test';
import { deedTests } from './deed-bench.ts';

/** The forms and buttons of the page of developers against answers that are lost. */

for (const [name, run] of await deedTests('developers')) test(name, run);
