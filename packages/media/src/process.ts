/* The parts that children, threads and commands need at their start: loaded first, and with nothing else. */

export { loadPart } from './load-part.ts';
export { isLack, isOfProgram, MachineFault, machineFaultOf, sentenceOfFault } from './machine-fault.ts';
export { type BundledPackages, LIST_OF_PACKAGES, useBundledPackages } from './process/bundled-packages.ts';
export { recordStderrTail, setKeepsParentAlive } from './process/child-processes.ts';
export { compileCacheVariable, keepCompiled, saveCompiled } from './process/compile-cache.ts';
export { startGuard } from './process/guard.ts';
export { startChild } from './process/start-child.ts';
