import type { EndUser, EndUserChange, ListEndUsersQuery } from './generated/interface.ts';
import { type List, listAt } from './list.ts';
import type { CallOptions, Transport } from './transport.ts';

const PATH = '/v1/end_users';

/** `client.endUsers`: your own customers, as named in `end_user` of orders. */
export class EndUsers {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** The limits of an end user, and what was spent in each window. */
  async get(endUser: string, options: CallOptions = {}): Promise<EndUser> {
    return await this.#call('GET', endUser, undefined, options);
  }

  /** End users by name: those with limits, and those with a task that is not deleted or expired. */
  list(query: ListEndUsersQuery = {}, options: CallOptions = {}): List<EndUser> {
    return listAt(this.#transport, PATH, query, (one) => one.end_user, options);
  }

  /** Replaces all limits. Null = no limit; a window that is left out has the limit of the key. */
  async setLimits(endUser: string, limits: EndUserChange['limits'], options: CallOptions = {}): Promise<EndUser> {
    return await this.#call('PUT', endUser, { limits }, options);
  }

  /** Removes all limits; those of the key apply again. */
  async removeLimits(endUser: string, options: CallOptions = {}): Promise<EndUser> {
    return await this.#call('DELETE', endUser, undefined, options);
  }

  async #call(
    method: 'GET' | 'PUT' | 'DELETE',
    endUser: string,
    json: EndUserChange | undefined,
    options: CallOptions,
  ): Promise<EndUser> {
    const path = `${PATH}/${encodeURIComponent(endUser)}`;
    return (await this.#transport.send<EndUser>({ ...options, method, path, json })).data;
  }
}
