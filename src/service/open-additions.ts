import type { CreateChores } from '../erasure/chore.ts';
import type { HttpAddition } from '../http/http-options.ts';
import { type Interceptors, joinInterceptors } from '../tasks/interceptor.ts';
import type { Addition, OpenAddition } from './addition.ts';
import type { Kernel, ServingKernel } from './kernel/kernel.ts';

/** An addition, and the work that it has opened. */
export type OpenedAddition = Addition & { readonly opened: OpenAddition };

/** Opens the additions of a process. */
export async function openAdditions(
  additions: readonly Addition[],
  kernel: Kernel,
  closers: AsyncDisposableStack,
): Promise<readonly OpenedAddition[]> {
  return await Promise.all(
    additions.map(async (addition) => ({ ...addition, opened: (await addition.open?.(kernel, closers)) ?? {} })),
  );
}

/** Opens the parts of the HTTP interface that additions bring. */
export async function openHttpAdditions(
  additions: readonly OpenedAddition[],
  kernel: ServingKernel,
): Promise<HttpAddition[]> {
  return await Promise.all(
    additions.map(async ({ pages = [], opened }) => ({ pages, ...(await opened.http?.(kernel)) })),
  );
}

/** Opens the interceptors of additions, in the order of the list. */
export async function openInterceptors(additions: readonly OpenedAddition[]): Promise<Interceptors> {
  const all = await Promise.all(additions.map(({ opened }) => opened.judge?.()));
  return joinInterceptors(all.flatMap((interceptor) => interceptor ?? []));
}

/** Returns what creates the chores of all additions, also of disabled ones. */
export function choresOf(additions: readonly Addition[], kernel: Kernel): CreateChores[] {
  return additions.flatMap(({ chores }) =>
    chores === undefined ? [] : (signal: AbortSignal) => chores(kernel, signal),
  );
}
