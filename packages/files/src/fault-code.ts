/** Creates a `catch` handler that turns the given error codes into `undefined` and rethrows everything else. */
export function ignore(...codes: readonly string[]): (error: unknown) => undefined {
  return (error) => {
    if (!codes.includes(fileFaultCode(error))) throw error;
  };
}

/** Returns an error's code such as `ENOENT`; empty when it has none. */
export function fileFaultCode(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
