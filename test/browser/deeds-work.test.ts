import { test } from 'node:test';
import { deedTests } from './deed-bench.ts';

/** The forms and buttons of webhooks and the wall against answers that are lost. */

for (const [name, run] of await deedTests('work')) test(name, run);
