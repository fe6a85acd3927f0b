import { setTimeout as sleep } from 'node:timers/promises';
import { askPostgres } from '../helpers/postgres-server.ts';
import type { Fault } from './plan-faults.ts';
import type { Premises } from './premises.ts';
import type { Receiver } from './receiver.ts';
import { hold, rehearse, restore, startHeld } from './restores.ts';

export interface FaultOptions {
  /** Where it happens. */
  readonly premises: Premises;
  readonly receiver: Receiver;
  readonly tell: (what: string) => void;
}

/** Makes one fault, and makes it good again. Only one does something to the database's server at a time. */
export async function doFault(fault: Fault, { premises, receiver, tell }: FaultOptions): Promise<void> {
  const { fleet, postgres, inTurn } = premises;
  const member = (place: number) => {
    const found = fleet.members[place % fleet.members.length];
    if (found === undefined) throw new Error('the fleet is empty');
    return found;
  };
  switch (fault.kind) {
    case 'kill': {
      const target = member(fault.place);
      tell(`killed ${target.name}`);
      await target.kill();
      await sleep(fault.downMs);
      return await target.start();
    }
    case 'terminate': {
      const target = member(fault.place);
      tell(`shut down ${target.name}`);
      await target.shutDown();
      await sleep(fault.downMs);
      return await target.start();
    }
    case 'pause': {
      const target = member(fault.place);
      tell(`paused ${target.name}`);
      return await target.pause(fault.ms);
    }
    case 'drop connections':
      if (postgres === null) return;
      tell('dropped database connections');
      // A server that is being started again has none to drop.
      return void (await askPostgres(
        postgres.url,
        `select pg_terminate_backend(pid) from pg_stat_activity
         where application_name like 'darkroom %' and random() < ${fault.share}`,
      ).catch(() => {}));
    case 'restart database':
      if (postgres === null) return;
      tell(`restarted the database: ${fault.how}`);
      return await postgres.restart(fault.how, fault.downMs);
    case 'fail storage':
      tell(`failed storage ${fault.moment} it stored`);
      for (const each of fleet.members) each.failStorage(fault);
      return await sleep(fault.ms);
    case 'receiver down':
      tell('took the receiver down');
      receiver.setDown(true);
      await sleep(fault.ms);
      return receiver.setDown(false);
    case 'hold':
      return await inTurn(async () => {
        tell('held the service');
        await hold(premises, fault.ms);
      });
    case 'held start':
      return await inTurn(async () => {
        const target = member(fault.place);
        tell(`started ${target.name} with DARKROOM_HOLD`);
        await startHeld(target, fault.ms);
      });
    case 'rehearsal':
      tell('started a copy beside the service');
      return await rehearse(premises, fault.ms);
    case 'fail over':
      if (postgres === null || !('failOver' in postgres)) return;
      tell('killed the primary and promoted its standby');
      return await postgres.failOver(fault.downMs);
    case 'restore':
      return await inTurn(async () => {
        tell('restored a copy in the place of the service');
        await restore(premises);
      });
  }
}
