import { AccountCalls } from './account.ts';
import { Batches } from './batches.ts';
import { ClientTokens } from './client-tokens.ts';
import { EndUsers } from './end-users.ts';
import { Files } from './files.ts';
import type { Quote } from './generated/interface.ts';
import type { Models as ShippedModels } from './generated/models.ts';
import { Images } from './images.ts';
import { Models } from './models.ts';
import type { ModelId, ModelTypes, QuestionFor } from './order-types.ts';
import { Shares } from './shares.ts';
import { Tags } from './tags.ts';
import { Tasks } from './tasks.ts';
import { type ApiKey, type CallOptions, createTransport, type Transport } from './transport.ts';
import { Webhooks } from './webhooks.ts';

export interface DarkroomOptions {
  /**
   * A key, or a client token in a page or app. By default the environment variable DARKROOM_API_KEY. A function is
   * called before each request and returns the current one. Only `models.catalog` works without.
   */
  readonly apiKey?: ApiKey | null | undefined;
  /** The service's address. Default: DARKROOM_URL, otherwise http://127.0.0.1:8080. */
  readonly baseUrl?: string | undefined;
  /** How often a request is repeated, if the service says `retryable` or its answer was lost. By default 5. */
  readonly retries?: number | undefined;
  /** How long to wait for one response, in milliseconds. By default 100,000. */
  readonly responseTimeoutMs?: number | undefined;
  /** A function that replaces the global fetch. */
  readonly fetch?: typeof fetch | undefined;
}

const DEFAULT_URL = 'http://127.0.0.1:8080';
const DEFAULT_RETRIES = 5;
const DEFAULT_RESPONSE_TIMEOUT_MS = 100_000;

/**
 * The client of a Darkroom service.
 *
 *     const client = new Darkroom();
 *     const fox = await client.images.generate({ model_id: 'sketch', prompt: 'a red fox in the snow' });
 *     await fox.save('fox.png');
 *
 * `Known` are the models whose fields are checked: by default those of the catalog that the service ships with.
 */
export class Darkroom<Known extends ModelTypes = ShippedModels> {
  readonly images: Images<Known['image']>;
  readonly videos: Tasks<Known['video']>;
  readonly batches: Batches;
  readonly models: Models;
  readonly files: Files;
  readonly account: AccountCalls;
  readonly webhooks: Webhooks;
  readonly endUsers: EndUsers;
  readonly clientTokens: ClientTokens;
  readonly shares: Shares;
  readonly tags: Tags;
  readonly #transport: Transport;

  constructor(options: DarkroomOptions = {}) {
    const transport = createTransport({
      baseUrl: (options.baseUrl ?? variable('DARKROOM_URL') ?? DEFAULT_URL).replace(/\/+$/, ''),
      apiKey: options.apiKey === undefined ? (variable('DARKROOM_API_KEY') ?? null) : options.apiKey,
      retries: options.retries ?? DEFAULT_RETRIES,
      responseTimeoutMs: options.responseTimeoutMs ?? DEFAULT_RESPONSE_TIMEOUT_MS,
      // Browsers call fetch as a method of the window only.
      fetch: options.fetch ?? ((input, init) => fetch(input, init)),
    });
    this.#transport = transport;
    this.images = new Images(transport, '/v1/images');
    this.videos = new Tasks(transport, '/v1/videos');
    this.batches = new Batches(transport, (task) => this.images.handle(task));
    this.models = new Models(transport);
    this.files = new Files(transport);
    this.account = new AccountCalls(transport);
    this.webhooks = new Webhooks(transport);
    this.endUsers = new EndUsers(transport);
    this.clientTokens = new ClientTokens(transport);
    this.shares = new Shares(transport);
    this.tags = new Tags(transport);
  }

  get baseUrl(): string {
    return this.#transport.baseUrl;
  }

  /** The price of an order or action, before it is placed. Send it as `max_price` to be charged no more. */
  async prices<Id extends ModelId<Known['image'] & Known['video']>>(
    question: QuestionFor<Known['image'] & Known['video'], Id>,
    options: CallOptions = {},
  ): Promise<Quote> {
    return (await this.#transport.send<Quote>({ ...options, method: 'POST', path: '/v1/prices', json: question })).data;
  }
}

/** Browsers have no environment. */
function variable(name: string): string | undefined {
  const { process } = globalThis as {
    readonly process?: { readonly env?: Readonly<Record<string, string | undefined>> };
  };
  return process?.env?.[name] || undefined;
}
