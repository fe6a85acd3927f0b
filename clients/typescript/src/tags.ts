import type { ListTagsQuery, Tag, TaskTags } from './generated/interface.ts';
import { type List, listAt } from './list.ts';
import { taskPath } from './task-path.ts';
import type { CallOptions, Transport } from './transport.ts';

/** `client.tags`: your own words for tasks. `client.images.list({ tag })` lists the tasks that have one. */
export class Tags {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** The tags of a task. */
  async get(taskId: string, options: CallOptions = {}): Promise<TaskTags> {
    return await this.#call('GET', taskId, undefined, options);
  }

  /** Replaces all tags of a task. */
  async set(taskId: string, tags: readonly string[], options: CallOptions = {}): Promise<TaskTags> {
    return await this.#call('PUT', taskId, { tags }, options);
  }

  /** The tags of the key by name, with the number of tasks that have them. */
  list(query: ListTagsQuery = {}, options: CallOptions = {}): List<Tag> {
    return listAt(this.#transport, '/v1/tags', query, (tag) => tag.tag, options);
  }

  async #call(
    method: 'GET' | 'PUT',
    taskId: string,
    json: object | undefined,
    options: CallOptions,
  ): Promise<TaskTags> {
    const call = { ...options, method, path: `${taskPath(taskId)}/tags`, json, facts: { taskId } };
    return (await this.#transport.send<TaskTags>(call)).data;
  }
}
