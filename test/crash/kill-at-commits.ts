import { StatementSync } from 'node:sqlite';

/** Loaded before a command: kills its process right before or right after one of its commits to SQLite. */
let survives = Number(process.env.DARKROOM_TEST_SURVIVES);
delete process.env.DARKROOM_TEST_SURVIVES;
const { run } = StatementSync.prototype;
StatementSync.prototype.run = function (this: StatementSync, ...values: Parameters<typeof run>) {
  if (this.sourceSQL !== 'commit') return run.apply(this, values);
  dieIfOver();
  const result = run.apply(this, values);
  dieIfOver();
  return result;
} as typeof run;

function dieIfOver(): void {
  if (survives-- === 0) process.kill(process.pid, 'SIGKILL');
}
