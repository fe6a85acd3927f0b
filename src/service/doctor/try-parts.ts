import { diagnoseSketch } from './diagnose-sketch.ts';

/** The program of a child: loads the native parts as media processes and painters do, and tells its parent. */
process.send?.({ sketch: await diagnoseSketch() });
// Loads the parts that were tried just now, and what it cannot load ends this process.
const { diagnoseCodecs } = await import('./diagnose-codecs.ts');
process.send?.({ films: await diagnoseCodecs() });
process.disconnect?.();
