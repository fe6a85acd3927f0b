import type { ModelManifest } from './manifest.ts';

/** Speed of a processor core with quantised weights, in 10^9 operations a second: of an old core and of a new one. */
const CORE_GFLOPS = { slow: 5, fast: 25 };

/**
 * Describes the time that one picture or video takes, and the source of that number.
 * @param variant variant of the engine's build; null = not known
 */
export function describeExpectedTime({ speed, type }: ModelManifest, variant: string | null, cores: number): string {
  const one = type === 'video' ? 'One video' : 'One picture';
  const measured = speed?.measured.find((one) => one.variant === variant);
  if (measured !== undefined) {
    const [from, to] = measured.seconds;
    return `${one}: ${from} to ${to} s on ${measured.hardware} (${measured.source}). Other hardware differs.`;
  }
  const work = speed?.work_tflop ?? null;
  if (variant !== 'cpu' || work === null) return `${one}: not known for this build.`;
  const seconds = (gflops: number) => Math.max(1, Math.round((work * 1000) / (cores * gflops)));
  const range = `${describe(seconds(CORE_GFLOPS.fast))} to ${describe(seconds(CORE_GFLOPS.slow))}`;
  return `${one}: about ${range} on the ${cores} cores of this processor. This is computed from the model's size, not measured.`;
}

function describe(seconds: number): string {
  if (seconds < 120) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 120 ? `${minutes} minutes` : `${Math.round(minutes / 60)} hours`;
}
