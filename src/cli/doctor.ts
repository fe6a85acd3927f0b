import type { Command } from 'commander';
import type { Addition } from '../service/addition.ts';
import { usageFault } from './command-fault.ts';
import { withOutput } from './output.ts';

/**
 * Adds `darkroom doctor`: checks every part and says how to fix it. The exit code is 1 if a check fails.
 */
export function addDoctorCommand(program: Command, additions: readonly Addition[]): void {
  const command = program
    .command('doctor')
    .description('check settings, database, storage, catalog, engines, disk, clock and additions')
    .option('--audit', 'also check ledger, settlements, files, stuck orders and money at risk; changes nothing')
    .option('--files <count>', 'check the files of this many of the newest tasks, or all', readCount, 1_000);
  withOutput(command).action(async (options) => await (await import('./run-doctor.ts')).runDoctor(options, additions));
}

function readCount(text: string): number {
  if (text === 'all') return Number.POSITIVE_INFINITY;
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw usageFault(`--files: expected a number of tasks, or all; found '${text}'`);
}
