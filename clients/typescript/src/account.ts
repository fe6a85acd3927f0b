import type {
  Account,
  GetUsageQuery,
  LedgerEntry,
  ListLedgerQuery,
  ListRequestsQuery,
  LoggedRequest,
  UsageReport,
} from './generated/interface.ts';
import { type List, listAt } from './list.ts';
import type { CallOptions, Transport } from './transport.ts';

/** `client.account` */
export class AccountCalls {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Balance, holds and the limits of the key. */
  async get(options: CallOptions = {}): Promise<Account> {
    return (await this.#transport.send<Account>({ ...options, path: '/v1/account' })).data;
  }

  /** Returns the cost of tasks by group. While `has_more` is true, `next_after` is the `after` of the next report. */
  async usage(query: GetUsageQuery = {}, options: CallOptions = {}): Promise<UsageReport> {
    return (await this.#transport.send<UsageReport>({ ...options, path: '/v1/account/usage', query })).data;
  }

  /** Every movement of money, newest first. */
  ledger(query: ListLedgerQuery = {}, options: CallOptions = {}): List<LedgerEntry> {
    return listAt(this.#transport, '/v1/account/ledger', query, (entry) => entry.entry_id, options);
  }

  /** The requests that the key sent lately and how they were answered, newest first. */
  requests(query: ListRequestsQuery = {}, options: CallOptions = {}): List<LoggedRequest> {
    return listAt(this.#transport, '/v1/requests', query, (entry) => entry.entry_id, options);
  }
}
