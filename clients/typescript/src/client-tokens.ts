import type { ClientToken, NewClientToken } from './generated/interface.ts';
import { type ChangeOptions, repeatableCall } from './repeatable-call.ts';
import type { Transport } from './transport.ts';

/** `client.clientTokens`: short-lived tokens for pages and apps, which must not have your key. */
export class ClientTokens {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Issues a token for one end user. Pass it to a page, whose client has it as `apiKey`. */
  async create(token: NewClientToken, options: ChangeOptions = {}): Promise<ClientToken> {
    const path = '/v1/client_tokens';
    return (await this.#transport.send<ClientToken>({ ...repeatableCall(options), path, json: token })).data;
  }
}
