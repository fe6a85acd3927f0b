import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startFloor } from './child-service.ts';
import { compareLoad } from './compare-load.ts';

const which = process.argv[2]!;
const { openInstallation } = await import(which);
const d = await mkdtemp(join(tmpdir(), 'race-'));
process.env.BENCH_NODE_OPTIONS = `--cpu-prof --cpu-prof-interval=400 --cpu-prof-dir=${process.argv[3]}`;
const few = await openInstallation(join(d, 'few'), 25_000);
delete process.env.BENCH_NODE_OPTIONS;
const floor = await startFloor(join(d, 'floor.db'));
try {
  await compareLoad({ floor, few, second: null, difference: 'with many tasks', rounds: 8, seconds: 2 });
} finally {
  await few.stop();
  await floor.stop();
  await rm(d, { recursive: true, force: true });
}
