import { deleteOnce } from './delete-once.ts';
import type { ListSharesQuery, NewShare, Share, ShareDeletion } from './generated/interface.ts';
import { type List, listAt } from './list.ts';
import { type ChangeOptions, repeatableCall } from './repeatable-call.ts';
import type { CallOptions, Transport } from './transport.ts';

const PATH = '/v1/shares';

/** `client.shares`: links that show results to people without a key. */
export class Shares {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Makes a link to the result of `task_id`, or to those of `task_ids`. It shows prompts only with `show_prompt`. */
  async create(share: NewShare, options: ChangeOptions = {}): Promise<Share> {
    return (await this.#transport.send<Share>({ ...repeatableCall(options), path: PATH, json: share })).data;
  }

  async get(shareId: string, options: CallOptions = {}): Promise<Share> {
    return (await this.#transport.send<Share>({ ...options, path: pathOf(shareId) })).data;
  }

  /** The links that work, newest first: those that show one task, or all. */
  list(query: ListSharesQuery = {}, options: CallOptions = {}): List<Share> {
    return listAt(this.#transport, PATH, query, (share) => share.share_id, options);
  }

  /** Revokes a link at once. A retry after a lost answer succeeds, too. */
  async delete(shareId: string, options: CallOptions = {}): Promise<ShareDeletion> {
    const call = { ...options, path: pathOf(shareId) };
    return { share_id: shareId, deleted_at: await deleteOnce(this.#transport, call, 'not_found') };
  }
}

function pathOf(shareId: string): string {
  return `${PATH}/${encodeURIComponent(shareId)}`;
}
