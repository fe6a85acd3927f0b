/** Name of the channel on which a thread reports that it renames a file of a task. */
export const RENAMES = 'renames of files of tasks';

/** Report that a thread is about to rename a file, or has renamed it. The thread waits until the gate is open. */
export interface ThreadRename {
  readonly moment: 'before' | 'after';
  readonly gate: Int32Array;
}
