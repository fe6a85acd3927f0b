import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startFloor } from './child-service.ts';
import { compareLoad } from './compare-load.ts';

const { openInstallation } = await import(process.env.FIRST ?? './installation.ts');
const base = await import(process.env.OTHER ?? '../../base/bench/installation.ts');
const d = await mkdtemp(join(tmpdir(), 'race-'));
const few = await openInstallation(join(d, 'few'), 25_000);
const second = await base.openInstallation(join(d, 'second'), 25_000);
const floor = await startFloor(join(d, 'floor.db'));
try {
  await compareLoad({
    floor,
    few,
    second,
    difference: 'with many tasks',
    rounds: Number(process.env.ROUNDS ?? 8),
    seconds: 2,
  });
  const { readFileSync } = await import('node:fs');
  for (const i of [few, second])
    console.log(i.process.pid, /VmHWM:.*/.exec(readFileSync(`/proc/${i.process.pid}/status`, 'utf8'))![0]);
} finally {
  await few.stop();
  await second.stop();
  await floor.stop();
  await rm(d, { recursive: true, force: true });
}
