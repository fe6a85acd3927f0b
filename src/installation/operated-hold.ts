import type { Act } from '../accounts/audit.ts';
import type { Database } from '../database/database.ts';
import type { Installation } from './installation.ts';
import { releaseService, suspendService } from './suspend.ts';
import {
  dropsWebhooks,
  REASONS,
  type ReleaseChoice,
  type Suspension,
  viewSuspensionForOperators,
} from './suspension.ts';

/** The hold of the service as operators see and change it. */
export interface Hold {
  /** The suspension; null = orders and webhooks are sent. */
  readonly suspension: Suspension | null;
  /** Reason why nothing is sent, in a sentence; null = orders and webhooks are sent. */
  readonly reason: string | null;
  view(): ReturnType<typeof viewSuspensionForOperators>;
  /** Stops sending orders and webhooks. Repeating it replaces the message. */
  begin(by: Act, message: string | null): Promise<void>;
  /** Reads the changes of other processes. */
  refresh(): Promise<void>;
  /**
   * Sends orders and webhooks again.
   * @param as role of a copy from now on: in the place of its original, or beside it; undefined = it is no copy
   * @param webhooks whether a copy sends the webhooks of orders from before; undefined = a successor does
   * @throws ServiceError if it is a copy and `as` is not given
   */
  end(by: Act, as: ReleaseChoice['as'] | undefined, webhooks: 'send' | 'drop' | undefined): Promise<void>;
}

/** Lets operators see and change the hold. */
export function operateHold(installation: Pick<Installation, 'suspension' | 'refresh'>, database: Database): Hold {
  return {
    get suspension() {
      return installation.suspension;
    },
    get reason() {
      const { suspension } = installation;
      return suspension === null ? null : REASONS[suspension.cause];
    },
    view: () => viewSuspensionForOperators(installation.suspension),
    async begin(by, message) {
      await suspendService(database, by, message);
    },
    refresh: () => installation.refresh(),
    async end(by, as, webhooks) {
      const choice = as === undefined ? null : { as, dropsWebhooks: dropsWebhooks(as, webhooks) };
      await releaseService(database, by, choice, installation.suspension?.cause === 'setting');
    },
  };
}
