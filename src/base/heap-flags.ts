import { setFlagsFromString } from 'node:v8';

/**
 * How V8 keeps the heap of a service. Called before the service is loaded, and once it serves.
 * The service lives on some 45 MB, and what an order leaves behind is soon dead: left alone, V8 lets it lie until the heap is four times
 * as large.
 */
export function setHeapFlags(phase: 'loading' | 'serving'): void {
  const flags =
    phase === 'loading'
      ? // What loading throws away would leave the heap at its largest, 60 MB more than a service at rest needs.
        ['--optimize-for-size', '--semi-space-growth-factor=1', '--heap-growing-percent=40']
      : ['--no-optimize-for-size', '--semi-space-growth-factor=2'];
  for (const flag of flags) setFlagsFromString(flag);
}
