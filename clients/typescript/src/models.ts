import type { ListModelsQuery, Model, ModelWithSchema } from './generated/interface.ts';
import type { CallOptions, Transport } from './transport.ts';

/** `client.models` */
export class Models {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** The models that this key can order, at its account's prices. */
  async list(query: ListModelsQuery = {}, options: CallOptions = {}): Promise<readonly Model[]> {
    return (await this.#transport.send<ModelList>({ ...options, path: '/v1/models', query })).data.items;
  }

  /** One model with the JSON Schema of its create body. */
  async get(modelId: string, options: CallOptions = {}): Promise<ModelWithSchema> {
    const path = `/v1/models/${encodeURIComponent(modelId)}`;
    return (await this.#transport.send<ModelWithSchema>({ ...options, path })).data;
  }

  /** All public models at default prices. Works without a key. */
  async catalog(query: ListModelsQuery = {}, options: CallOptions = {}): Promise<readonly Model[]> {
    return (await this.#transport.send<ModelList>({ ...options, path: '/v1/catalog', query })).data.items;
  }
}

interface ModelList {
  readonly items: readonly Model[];
}
