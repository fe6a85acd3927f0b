import { test } from 'node:test';
import { deedTests } from './deed-bench.ts';

/** The forms and buttons of keys, credits, links and orders against answers that are lost. */

for (const [name, run] of await deedTests('keys')) test(name, run);
