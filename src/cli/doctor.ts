import type { Command } from 'commander';
import { systemClock } from '../base/clock.ts';
import { loadConfig, readEnvironment } from '../config/config.ts';
import type { Finding } from '../doctor/diagnosis.ts';
import { usageFault } from './command-fault.ts';
import { type OutputOptions, show, withOutput } from './output.ts';

interface DoctorOptions extends OutputOptions {
  readonly audit?: true;
  readonly files: number;
}

const SIGNS = { ok: 'ok     ', warning: 'warning', failed: 'FAILED ' } as const;

/**
 * Adds `darkroom doctor`: checks what works and what to do otherwise. The exit code is 1 if something does not work.
 */
export function addDoctorCommand(program: Command): void {
  const command = program
    .command('doctor')
    .description('look at settings, database, storage, catalog and engines')
    .option('--audit', 'check the promises too: ledger, settlements, files, stuck orders, money at risk (reads only)')
    .option('--files <count>', 'of how many of the newest tasks --audit looks up the files, or all', readCount, 1_000);
  withOutput(command).action(async (options: DoctorOptions) => {
    const config = loadConfig(readEnvironment());
    const { diagnose } = await import('../doctor/diagnosis.ts');
    const now = systemClock.now();
    const checks = await diagnose(config, now);
    if (options.audit === true) {
      const { audit } = await import('../doctor/audit.ts');
      checks.push(...(await audit(config, now, { files: options.files })));
    }
    const well = checks.every((check) => check.status !== 'failed');
    show(options, { json: { ok: well, checks }, text: ['ok       settings', ...checks.map(line)].join('\n') });
    if (!well) process.exitCode = 1;
  });
}

function readCount(text: string): number {
  if (text === 'all') return Number.POSITIVE_INFINITY;
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw usageFault(`--files: expected a number of tasks or all, found ${JSON.stringify(text)}`);
}

function line({ name, status, found, advice }: Finding): string {
  const indented = found.replaceAll('\n', '\n           ');
  return `${SIGNS[status]}  ${name}: ${indented}${advice === null ? '' : `\n           ${advice}`}`;
}
