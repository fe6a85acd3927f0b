/** Tells whether a process runs, or has ended and is not waited for yet. */
export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
