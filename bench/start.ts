import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/**
 * Measures starts of a service, from its process to the line that it listens: `node bench/start.ts [program] [starts]`.
 * The program is that of an installed package or, by default, of this checkout. Reads `/proc`, so it needs Linux.
 */
const [program = join(import.meta.dirname, '..', 'bin', 'darkroom.js'), starts = '7'] = process.argv.slice(2);
/** The unit of the times in `/proc/<pid>/stat`. */
const TICK_MS = 10;
const REST_MS = 10_000;

const data = await mkdtemp(join(tmpdir(), 'darkroom-start-'));
try {
  const first = await measureStart(0);
  const later: Start[] = [];
  for (let n = 0; n < Number(starts); n++) later.push(await measureStart(0));
  const { megabytes } = await measureStart(REST_MS);
  console.log(`first start: ${first.wallMs} ms, ${first.cpuMs} ms of CPU`);
  console.log(`later starts, median of ${starts}: ${median(later, 'wallMs')} ms, ${median(later, 'cpuMs')} ms of CPU`);
  console.log(`at rest, ten seconds after the start: ${megabytes} MB`);
} finally {
  await rm(data, { recursive: true });
}

interface Start {
  readonly wallMs: number;
  /** Of all threads. */
  readonly cpuMs: number;
  readonly megabytes: number;
}

async function measureStart(restMs: number): Promise<Start> {
  const since = performance.now();
  const env = { PATH: process.env.PATH, DARKROOM_PORT: '0', DARKROOM_DATA_DIR: data };
  const child = spawn(process.execPath, [program, 'serve'], { env, stdio: ['ignore', 'pipe', 'ignore'] });
  const ended = once(child, 'exit');
  try {
    for await (const line of createInterface(child.stdout)) if (line.includes('listens on')) break;
    const wallMs = Math.round(performance.now() - since);
    const times = readFileSync(`/proc/${child.pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
    await new Promise((resolve) => setTimeout(resolve, restMs));
    const [, kilobytes] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8')) ?? [];
    const cpuMs = (Number(times[11]) + Number(times[12])) * TICK_MS;
    return { wallMs, cpuMs, megabytes: Math.round(Number(kilobytes) / 1024) };
  } finally {
    child.kill('SIGINT');
    await ended;
  }
}

function median(found: readonly Start[], figure: 'wallMs' | 'cpuMs'): number {
  const sorted = found.map((one) => one[figure]).sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}
