/* What children, threads and commands need as they start: it is loaded before all else, and with nothing else. */

export { loadPart } from './load-part.ts';
export { isLack, isOfProgram, MachineFault, machineFaultOf, sentenceOfFault } from './machine-fault.ts';
export { recordStderrTail, setKeepsParentAlive } from './process/child-processes.ts';
export { compileCacheVariable, keepCompiled, saveCompiled } from './process/compile-cache.ts';
export { startGuard } from './process/guard.ts';
export { startChild } from './process/start-child.ts';
