import type { Command } from 'commander';
import { systemClock } from '../base/clock.ts';
import { loadConfig, readEnvironment } from '../config.ts';
import type { Finding } from '../diagnosis.ts';
import { type OutputOptions, show, withOutput } from './output.ts';

const SIGNS = { ok: 'ok     ', warning: 'warning', failed: 'FAILED ' } as const;

/** `darkroom doctor`: what works, what does not, and what to do. Ends with 1 where something does not. */
export function addDoctorCommand(program: Command): void {
  withOutput(program.command('doctor').description('look at settings, database, storage, catalog and engines')).action(
    async (options: OutputOptions) => {
      const config = loadConfig(readEnvironment());
      const { diagnose } = await import('../diagnosis.ts');
      const checks = await diagnose(config, systemClock.now());
      const well = checks.every((check) => check.status !== 'failed');
      show(options, { json: { ok: well, checks }, text: ['ok       settings', ...checks.map(line)].join('\n') });
      if (!well) process.exitCode = 1;
    },
  );
}

function line({ name, status, found, advice }: Finding): string {
  const indented = found.replaceAll('\n', '\n           ');
  return `${SIGNS[status]}  ${name}: ${indented}${advice === null ? '' : `\n           ${advice}`}`;
}
