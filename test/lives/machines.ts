import type { Call } from './asking.ts';
import type { SimulatedDisk } from './disk.ts';
import type { Faults } from './faults.ts';
import { createMachineSpool } from './machine-spool.ts';
import type { Plan } from './plan.ts';
import { type Shared, type SimulatedProcess, startProcess } from './process.ts';
import type { Seeded } from './seeded.ts';
import type { SimulatedWorld, Simulation } from './simulation.ts';

/** The machines of a simulation, each with one process at a time. A process that dies is followed by another one. */
export interface Machines {
  /** Starts a process on each machine. */
  begin(): void;
  /** Runs something in a process of any machine after so many milliseconds; nothing if none runs there. */
  onAny(run: (process: SimulatedProcess) => void, afterMs: number): void;
  readonly call: Call;
  /** Stops the process of one machine as a supervisor does, and starts another one. */
  restart(): Promise<void>;
  killAll(): void;
  /** Tells whether each machine has a process, none of which stands still or did a moment ago. */
  areReady(): boolean;
  /** Stops the only machine as soon as its process runs, changes what is there, and starts it with an empty spool. */
  replace(change: () => void): Promise<void>;
  /** Returns how many processes have died. */
  deaths(): number;
}

/** Longer than a call takes in a process that lives. */
const ANSWER_WITHIN_MS = 10_000;
/** A supervisor kills a process that does not stop within this time. */
const STOPPED_WITHIN_MS = 20_000;
/** Longer than an order takes that a process had in hand when it stood still. */
const WAKES_WITHIN_MS = 30_000;
/** How often a process is stopped because its database takes nothing. */
const WITH_DATABASE = 0.3;

export function createMachines(parts: {
  readonly plan: Plan;
  readonly simulation: Simulation;
  readonly outside: SimulatedWorld;
  readonly seeded: Seeded;
  readonly faults: Faults;
  readonly disk: SimulatedDisk;
  readonly shared: Shared;
  readonly tell: (who: string, what: string) => void;
  /** Ends the simulation with a fault. */
  readonly note: (error: unknown) => void;
  readonly isOver: () => boolean;
}): Machines {
  const { plan, simulation, outside, seeded, faults, disk, shared, tell } = parts;
  const running: (SimulatedProcess | null)[] = Array.from({ length: plan.processes }, () => null);
  const spools = running.map(createMachineSpool);
  const diedOn: string[][] = running.map(() => []);
  const worlds: SimulatedWorld[] = [];
  let deaths = 0;

  function begin(machine: number): void {
    if (parts.isOver()) return;
    const id = `p${worlds.length + 1}`;
    const world = simulation.createWorld();
    worlds.push(world);
    const onDeath = (why: string) => {
      tell(id, `dies ${why}`);
      deaths++;
      running[machine] = null;
      diedOn[machine]!.push(id);
      if (faults.happens('powerCuts', 'a death')) {
        tell('disk', 'loses what was not flushed');
        disk.cutPower();
      }
      // Some machines stay away for longer than others wait.
      outside.setTimeout(() => begin(machine), seeded.between(100, seeded.happens(0.1) ? 150_000 : 10_000));
    };
    const onStop = (why: string) => void restart(machine, ` ${why}`).catch(parts.note);
    world.setImmediate(() => {
      tell(id, 'starts');
      const died = diedOn[machine]!.slice();
      const own = { id, world, open: () => disk.open(world), died, spool: spools[machine]!, onDeath, onStop };
      startProcess(shared, own).then((process) => {
        // It may have died on the way, and another one runs.
        if (world.isDead) return;
        running[machine] = process;
        diedOn[machine]!.splice(0, died.length);
      }, parts.note);
    });
  }

  /** Stops a process as a supervisor does, perhaps since its database takes nothing, and starts another one. */
  async function restart(machine: number, why: string): Promise<void> {
    const process = running[machine];
    if (!process) return;
    const { id, world } = process;
    const isShut = seeded.happens(WITH_DATABASE);
    tell('operator', `restarts ${id}${why}${isShut ? ', whose database takes nothing' : ''}`);
    if (isShut) process.shutDatabase(plan.processes === 1 ? 'full' : 'away, not committed');
    running[machine] = null;
    await new Promise<void>((resolve) => {
      world.setTimeout(() => void process.stop().then(resolve), 1);
      outside.setTimeout(resolve, STOPPED_WITHIN_MS);
    });
    if (world.isDead) return;
    world.kill();
    diedOn[machine]!.push(id);
    begin(machine);
  }

  const any = () => Math.floor(seeded.random() * running.length);
  const onAny: Machines['onAny'] = (run, afterMs) => {
    const process = running[any()];
    process?.world.setTimeout(() => run(process), afterMs);
  };

  return {
    begin() {
      for (const machine of running.keys()) begin(machine);
    },
    onAny,
    call: (run) =>
      new Promise((resolve) => {
        outside.setTimeout(() => resolve(null), ANSWER_WITHIN_MS);
        const ask = ({ services, keyring, world, at }: SimulatedProcess) => {
          const answer = (value: Awaited<ReturnType<Call>>) => {
            if (world.isDead) return;
            outside.setTimeout(
              () => {
                resolve(value as never);
                at('as a customer is answered');
              },
              seeded.between(1, 5),
            );
          };
          void run(services, keyring).then(
            (value) => answer({ value }),
            (error: unknown) => answer({ error }),
          );
        };
        onAny(ask, seeded.between(1, 5));
      }),
    async restart() {
      await restart(any(), '');
    },
    async replace(change) {
      let process = running[0];
      for (; !process; process = running[0])
        await new Promise((resolve) => void outside.setTimeout(() => resolve(null), 500));
      process.world.kill();
      running[0] = null;
      diedOn[0]!.push(process.id);
      spools[0] = createMachineSpool();
      change();
      begin(0);
    },
    killAll() {
      for (const world of worlds) world.kill();
    },
    areReady: () =>
      running.every((process) => process && process.world.stalledUntil + WAKES_WITHIN_MS <= simulation.elapsedMs),
    deaths: () => deaths,
  };
}
