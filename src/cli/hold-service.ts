import { listOpenOrders, type OpenOrder, releaseService, suspendService } from '../installation/suspend.ts';
import { dropsWebhooks, type ReleaseChoice, readInstallation, suspensionOf } from '../installation/suspension.ts';
import { usageFault } from './command-fault.ts';
import { withLocalData } from './local-database.ts';
import { type OutputOptions, show, table } from './output.ts';

const MOST_CHARACTERS = 500;

export async function hold(options: OutputOptions & { readonly message?: string }): Promise<void> {
  const { message = null } = options;
  if (message !== null && message.length > MOST_CHARACTERS)
    throw usageFault(`--message: expected at most ${MOST_CHARACTERS} characters, found ${message.length}`);
  await withLocalData('refuse', ({ database, by }) => suspendService(database, by, message));
  show(options, { json: { held: true, message }, text: 'Held: orders are accepted, and none is sent.' });
}

interface ReleaseOptions extends OutputOptions {
  readonly as?: ReleaseChoice['as'];
  readonly webhooks?: 'send' | 'drop';
}

export async function release(options: ReleaseOptions): Promise<void> {
  const { as, webhooks } = options;
  const choice = as === undefined ? null : { as, dropsWebhooks: dropsWebhooks(as, webhooks) };
  const { orders, isSuspendedBySetting } = await withLocalData('refuse', async ({ config, database, by }) => {
    const suspension = suspensionOf(await readInstallation(database.read));
    // Before the release, which a running worker carries out at once.
    const orders = choice === null ? [] : await listOpenOrders(database.read, suspension?.since ?? by.now);
    if (suspension === null && !config.hold && choice !== null)
      throw usageFault('--as: the installation is not held. If it is a copy anyway, hold it first: darkroom hold');
    await releaseService(database, by, choice, config.hold);
    return { orders, isSuspendedBySetting: config.hold };
  });
  const setting = isSuspendedBySetting ? '\nDARKROOM_HOLD is true: unset it too, and start the service again.' : '';
  show(options, {
    json: { as: as ?? null, webhooks: webhooksOf(choice), orders },
    text: describe(choice, orders) + setting,
  });
}

function webhooksOf(choice: ReleaseChoice | null): 'send' | 'drop' | null {
  if (choice === null) return null;
  return choice.dropsWebhooks ? 'drop' : 'send';
}

function describe(choice: ReleaseChoice | null, orders: readonly OpenOrder[]): string {
  if (choice === null) return 'Released: orders and webhooks are sent again.';
  const listed =
    orders.length === 0
      ? 'No order was open at the copy.'
      : table(
          ['TASK', 'STEP', 'ENGINE', 'MODE', 'MODEL', 'ACCOUNT'],
          orders.map((order) => [
            order.task_id,
            order.step,
            order.engine,
            order.mode,
            order.model_id,
            order.account_id,
          ]),
        );
  return `${listed}\nA worker puts those that cost money into reconciliation and then ends the hold: at once if one runs, otherwise at its start. See GET /admin/v1/reconciliation.\n${
    choice.dropsWebhooks
      ? 'No webhook of an order from before is sent; with --webhooks send they are.'
      : 'Webhooks of orders from before that were not delivered are sent.'
  }`;
}
