import assert from 'node:assert/strict';

/**
 * Compares the errors that a vendor's own client threw with those expected. Any error that `told` cannot read, such as
 * a connection error, fails.
 */
export async function assertRefusals(
  told: (error: unknown) => unknown,
  expected: Readonly<Record<string, readonly [call: () => PromiseLike<unknown>, told: unknown]>>,
): Promise<void> {
  for (const [what, [call, answer]] of Object.entries(expected)) {
    const found = await call().then(
      () => 'it was not refused',
      (error: unknown) => told(error) ?? `${error}`,
    );
    assert.deepEqual(found, answer, what);
  }
}
