import type { Random } from './random.ts';

/** A planned fault of the service with its time. Places name a member by its number, whatever the fleet. */
export type Fault = { readonly atMs: number } & (
  | { readonly kind: 'kill'; readonly place: number; readonly downMs: number }
  | { readonly kind: 'terminate'; readonly place: number; readonly downMs: number }
  | { readonly kind: 'pause'; readonly place: number; readonly ms: number }
  | { readonly kind: 'drop connections'; readonly share: number }
  | { readonly kind: 'restart database'; readonly how: 'shut down' | 'crash'; readonly downMs: number }
  | { readonly kind: 'fail storage'; readonly moment: 'before' | 'after'; readonly ms: number }
  | { readonly kind: 'receiver down'; readonly ms: number }
  | { readonly kind: 'hold'; readonly ms: number }
  | { readonly kind: 'held start'; readonly place: number; readonly ms: number }
  | { readonly kind: 'rehearsal'; readonly ms: number }
  | { readonly kind: 'restore' }
  | { readonly kind: 'fail over'; readonly downMs: number }
);

export type FaultKind = Exclude<Fault['kind'], 'fail over'>;

export interface FaultKinds {
  readonly usual: readonly FaultKind[];
  /** They stop everything for a while, so only one of them comes with each of the others. */
  readonly held: readonly FaultKind[];
}

/** What can happen to one process with everything in it. */
const EMBEDDED_FAULTS: FaultKinds = {
  usual: ['kill', 'terminate', 'pause', 'fail storage', 'receiver down'],
  held: ['hold', 'held start', 'rehearsal', 'restore'],
};
const SHARED_FAULTS: FaultKinds = {
  ...EMBEDDED_FAULTS,
  usual: ['kill', 'terminate', 'pause', 'drop connections', 'restart database', 'fail storage', 'receiver down'],
};
export const FAULTS = {
  embedded: EMBEDDED_FAULTS,
  shared: SHARED_FAULTS,
  // Copies of a database are tried without cells.
  cells: { ...SHARED_FAULTS, held: ['hold', 'held start'] },
} as const satisfies Record<string, FaultKinds>;

/** Each kind once before any comes again; the killing ones come more often. */
export function planFaults(
  random: Random,
  kinds: FaultKinds,
  times: { readonly totalMs: number; readonly leaseMs: number; readonly everyMs: number },
): Fault[] {
  const faults: Fault[] = [];
  let bag: FaultKind[] = [];
  let held: FaultKind[] = [];
  for (let atMs = 1_000; atMs < times.totalMs; atMs += random.between(times.everyMs * 0.5, times.everyMs * 1.5)) {
    if (held.length === 0) held = random.shuffle([...kinds.held]);
    if (bag.length === 0) bag = random.shuffle([...kinds.usual, 'kill', 'pause', ...held.splice(0, 1)]);
    const kind = bag.pop();
    if (kind !== undefined) faults.push({ atMs, ...detail(kind, random, times.leaseMs) });
  }
  return faults;
}

/** Plans the one time that the standby of a cell takes over. */
export function planFailover(random: Random, totalMs: number): Fault {
  return {
    atMs: random.between(totalMs * 0.15, totalMs * 0.6),
    kind: 'fail over',
    downMs: random.between(0, 2_000),
  };
}

function detail(kind: FaultKind, random: Random, leaseMs: number) {
  const place = random.between(0, 1_000);
  switch (kind) {
    case 'kill':
    case 'terminate':
      return { kind, place, downMs: random.between(0, 1_500) };
    case 'pause':
      return { kind, place, ms: random.between(leaseMs * 0.5, leaseMs * 2) };
    case 'drop connections':
      return { kind, share: random.next() };
    case 'restart database':
      return { kind, how: random.pick(['shut down', 'crash'] as const), downMs: random.between(0, 2_000) };
    case 'fail storage':
      return { kind, moment: random.pick(['before', 'after'] as const), ms: random.between(500, 3_000) };
    case 'receiver down':
      return { kind, ms: random.between(2_000, 5_000) };
    case 'hold':
      return { kind, ms: random.between(1_000, 5_000) };
    case 'held start':
      return { kind, place, ms: random.between(leaseMs, leaseMs * 2) };
    case 'rehearsal':
      return { kind, ms: random.between(leaseMs * 1.5, leaseMs * 3) };
    case 'restore':
      return { kind };
  }
}
