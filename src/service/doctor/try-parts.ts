import { diagnoseSketch } from './diagnose-sketch.ts';

/** Program of a child process: loads the native parts as media processes and painters do, and reports to its parent. */
process.send?.({ sketch: await diagnoseSketch() });
// Loads the parts that were tried just now. A part that cannot be loaded ends this process.
const { diagnoseCodecs } = await import('./diagnose-codecs.ts');
process.send?.({ films: await diagnoseCodecs() });
process.disconnect?.();
