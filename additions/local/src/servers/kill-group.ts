/** Sends a signal to a process and all others of its group. Does nothing if there are none. */
export function killGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, signal);
  } catch {
    // They have ended.
  }
}
