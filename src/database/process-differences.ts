import type { Peer } from './process-facts.ts';

/** Deviations of a process from the others in its settings or network, as sentences for operators. */
export interface Differences {
  /** Reasons why the process does not take orders that others can take. */
  readonly faults: readonly string[];
  /** Deviating settings, which may be intended. */
  readonly differences: readonly string[];
}

/** Compares the running processes. @returns the deviating ones, by process id */
export function compareProcesses(running: readonly Peer[]): ReadonlyMap<string, Differences> {
  const apart = new Map<string, Differences>();
  for (const one of running) {
    const found = { faults: faultsOf(one, running), differences: differencesOf(one, running) };
    if (found.faults.length + found.differences.length > 0) apart.set(one.id, found);
  }
  return apart;
}

function faultsOf(one: Peer, running: readonly Peer[]): string[] {
  const { refused = {}, keys = {}, hasStored = true } = one.facts ?? {};
  const keyFaults = Object.entries(refused).map(([engine, { setting }]) => {
    const others = running.filter(
      ({ facts }) => facts?.keys[engine] !== undefined && facts.keys[engine] !== keys[engine],
    );
    const goOn = `${countOf(others)} ${others.length === 1 ? 'uses' : 'use'} another key`;
    return `${engine} refuses the key of ${nameOf(one)}; ${goOn}: set the right ${setting} there and restart it.`;
  });
  const isWorker = one.role !== 'api';
  const reached = running.filter(({ role, facts }) => facts?.hasStored === true && (role !== 'api' || !isWorker));
  if (hasStored || reached.length === 0) return keyFaults;
  const others = `${countOf(reached)} ${reached.length === 1 ? 'has' : 'have'}`;
  const effect = isWorker ? '; it takes no orders' : '';
  const advice = 'read the reason in its /readyz, set the right storage there and restart it';
  return [...keyFaults, `${nameOf(one)} has never reached the storage, and ${others}${effect}: ${advice}.`];
}

/** Describes the settings in which a process differs from at least half of all. */
function differencesOf(one: Peer, running: readonly Peer[]): string[] {
  const { facts } = one;
  if (facts === null) return [];
  const engines = new Set(running.flatMap((peer) => Object.keys(peer.facts?.keys ?? {})));
  const ofKeys = [...engines].sort().flatMap((engine) => {
    // Already reported as a fault.
    if (facts.refused[engine] !== undefined) return [];
    const others = othersThan(one, running, (facts) => facts.keys[engine]);
    if (others.length === 0) return [];
    return facts.keys[engine] === undefined
      ? `${nameOf(one)} has no key of ${engine}, unlike ${countOf(others)}.`
      : `${nameOf(one)} has another key or address of ${engine} than ${countOf(others)}.`;
  });
  const others = othersThan(one, running, ({ storage }) => storage);
  if (others.length === 0) return ofKeys;
  return [...ofKeys, `${nameOf(one)} has another address or other credentials of the storage than ${countOf(others)}.`];
}

/** Returns the processes with another value; none if more have the value of this process. */
function othersThan(
  { facts: own }: Peer,
  running: readonly Peer[],
  read: (facts: NonNullable<Peer['facts']>) => string | undefined,
): readonly Peer[] {
  const reporting = running.filter(({ facts }) => facts !== null);
  const value = own === null ? undefined : read(own);
  const others = reporting.filter(({ facts }) => facts !== null && read(facts) !== value);
  return others.length * 2 >= reporting.length ? others : [];
}

function nameOf({ id, role, host }: Peer): string {
  return `${role === 'worker' ? 'worker' : `process (role ${role})`} ${id} at host ${host}`;
}

function countOf({ length }: readonly Peer[]): string {
  return `${length === 0 ? 'no' : length} other ${length === 1 ? 'process' : 'processes'}`;
}
