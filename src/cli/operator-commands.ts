import { type Command, Option } from 'commander';
import { type Addition, tablesOf } from '../service/addition.ts';
import { usageFault } from './command-fault.ts';
import { withNotes, withOutput } from './output.ts';
import { addSketchCommand } from './sketch.ts';
import { whenRun } from './when-run.ts';

/** Adds the commands of whoever runs the service, and of its illustrator. */
export function addServiceCommands(program: Command, additions: readonly Addition[]): void {
  addServeCommand(program, additions);
  addSketchCommand(program);
  addBackupCommand(program);
  addRestoreCommand(program);
  addMigrateCommand(program, additions);
  addHoldCommands(program);
  addRetentionCommand(program, additions);
  addDoctorCommand(program, additions);
}

/** Adds `darkroom serve`: runs the service in the foreground until a signal. */
function addServeCommand(program: Command, additions: readonly Addition[]): void {
  program
    .command('serve')
    .description('start the service; docs/configuration.md lists its settings, which are environment variables')
    .action(async () => await (await import('./run-service.ts')).runService(additions));
}

/** Adds `darkroom backup`: makes a consistent copy, also while the service is running. */
function addBackupCommand(program: Command): void {
  const backup = program.command('backup').description('copy database and files, also while the service runs');
  withNotes(
    withOutput(backup)
      .argument('[dir]', 'a new or empty directory')
      .option('--record', 'copy nothing, but record that other tools have made a complete backup'),
    ['A job that copies PostgreSQL and a bucket ends with --record: darkroom doctor --production tells its age.'],
    'darkroom backup /backups/2026-11-30',
  );
  backup.action(whenRun(async () => (await import('./make-backup.ts')).makeBackup));
}

/** Adds `darkroom restore`: restores a backup to the empty data directory of a stopped service. */
function addRestoreCommand(program: Command): void {
  withOutput(program.command('restore').description('restore a backup into an empty data directory'))
    .argument('<dir>', 'the directory of the backup')
    .action(whenRun(async () => (await import('./restore-backup.ts')).restoreBackup));
}

/** Adds `darkroom migrate`: copies a whole installation to another database while no service runs on either. */
function addMigrateCommand(program: Command, additions: readonly Addition[]): void {
  withOutput(program.command('migrate').description('copy all data to another database, such as PostgreSQL'))
    .requiredOption('--from <address>', 'sqlite:./data/darkroom.db, or postgres://…')
    .requiredOption('--to <address>', 'postgres://…, or sqlite:… ; an empty database')
    .action(async (options) => await (await import('./move-database.ts')).moveDatabase(options, tablesOf(additions)));
}

/** Adds `darkroom hold` and `darkroom release`. They write the database directly, also while the service is running. */
function addHoldCommands(program: Command): void {
  const hold = program
    .command('hold')
    .description('accept orders and send none: no order, no webhook, no clean-up')
    .option('--message <text>', 'what customers read about it');
  withOutput(hold).action(whenRun(async () => (await import('./hold-service.ts')).hold));
  const release = program
    .command('release')
    .description('end a hold')
    .addOption(
      new Option(
        '--as <role>',
        'of a restored or copied installation: successor takes the place of its original, copy goes on beside it',
      ).choices(['successor', 'copy']),
    )
    .addOption(
      new Option(
        '--webhooks <what>',
        'with --as: what happens to webhooks of orders from before; left out: a successor sends them, a copy drops them',
      ).choices(['send', 'drop']),
    );
  withNotes(
    withOutput(release),
    [
      'With --as, it lists the orders that were open at the copy. A worker ends those that cost money as outcome_unknown, for reconciliation: nobody is charged, and none is sent again. Then the hold ends.',
    ],
    'darkroom release --as successor',
  );
  release.action(whenRun(async () => (await import('./hold-service.ts')).release));
}

/** Adds `darkroom retention apply`. It writes the database directly, also while the service is running. */
function addRetentionCommand(program: Command, additions: readonly Addition[]): void {
  const retention = program.command('retention').description('erase what is older than a shorter retention');
  const apply = retention
    .command('apply')
    .description('shorten the retention of orders and uploads that are there; shows what it erases, and asks')
    .requiredOption('--days <days>', 'counted from the end of each order')
    .option('--yes', 'do not ask');
  withNotes(
    withOutput(apply),
    [
      'DARKROOM_RETENTION_DAYS counts for new orders only. Outputs that are still being delivered, and those that another order waits for, keep their time. Nothing is kept longer than before.',
    ],
    'darkroom retention apply --days 7',
  );
  apply.action(whenRun(async () => (await import('./apply-retention.ts')).applyShorterRetention.bind(null, additions)));
}

/**
 * Adds `darkroom doctor`: checks every part and says how to fix it. The exit code is 1 if a check fails.
 */
function addDoctorCommand(program: Command, additions: readonly Addition[]): void {
  const command = program
    .command('doctor')
    .description('check settings, database, storage, catalog, engines, disk, clock and additions')
    .option('--production', 'also compare the installation with what production expects: docs/production.md')
    .option('--accept <names>', 'with --production: lines that something else meets, such as standbys,backup', list)
    .option('--details', 'list what lines count, such as the routes of unknown cost')
    .option('--audit', 'also check ledger, settlements, files, stuck orders and money at risk; changes nothing')
    .option('--files <count>', 'check the files of this many of the newest tasks, or all', readCount, 1_000);
  withOutput(command).action(async (options) => await (await import('./run-doctor.ts')).runDoctor(options, additions));
}

function list(text: string): string[] {
  return text.split(',').map((name) => name.trim());
}

function readCount(text: string): number {
  if (text === 'all') return Number.POSITIVE_INFINITY;
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw usageFault(`--files: expected a number of tasks, or all; found '${text}'`);
}
