import { test } from 'node:test';
import { deedTests } from './deed-bench.ts';

/** The forms and buttons of accounts and their members against answers that are lost. */

for (const [name, run] of await deedTests('accounts')) test(name, run);
