import {
  type OutputOptions,
  show,
  table,
  whenRun,
  withLocalData,
  withNotes,
  withOutput,
} from '@darkroom-service/darkroom/kernel-cli';
import type { Command } from 'commander';

/** Adds `darkroom processes`. It reads the database directly, also while the service is running. */
export function addProcessesCommand(program: Command): void {
  const command = program
    .command('processes')
    .description('list the processes of the service: who runs, who fell silent, and what they hold');
  withNotes(withOutput(command, 'their ids'), [
    'A process that stops in order is not listed. One that ended without a word is listed for a day.',
  ]);
  command.action(whenRun(async () => showProcesses));
}

async function showProcesses(options: OutputOptions): Promise<void> {
  const items = await withLocalData('refuse', ({ checks }) => checks.processes());
  const rows = items.map((one) => [
    one.state,
    one.role,
    one.host,
    one.version,
    one.started_at,
    one.heard_at,
    one.tasks,
    one.process_id,
  ]);
  const text =
    items.length === 0
      ? 'No process runs.'
      : [
          table(['STATE', 'ROLE', 'HOST', 'VERSION', 'SINCE', 'HEARD', 'TASKS', 'PROCESS'], rows),
          ...items.flatMap(({ faults, differences }) => [...faults, ...differences]),
        ].join('\n');
  show(options, { json: { items }, text, plain: items.map((one) => one.process_id).join('\n') });
}
