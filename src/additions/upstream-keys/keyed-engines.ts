import { DEFAULT_INSTANCE, type Engine, EngineError } from '@darkroom-service/engines';
import { keyedPartsOf } from '../../kernel-accounts.ts';

/** A secret that was read for a call, or the reason why there is none. */
type KeySecret =
  | {
      readonly secret: string;
      /** Whether the key is removed: then it is used only for orders that were submitted with it. */
      readonly isRemoved: boolean;
    }
  | { readonly missing: string };

export interface KeyedEngineParts {
  /** Engines by kind that show the capabilities of a kind, independent of the key. Their calls are never used. */
  readonly templates: ReadonlyMap<string, Engine>;
  readonly open: (kind: string, secret: string) => Engine;
  /** @param keyId the id of the upstream key */
  readonly readSecret: (keyId: string) => Promise<KeySecret>;
}

/** Maximum number of engines with an opened secret that are kept. */
const MOST_OPENED = 100;
const REMOVED = 'The upstream key was removed before the order was submitted.';

interface Opened {
  readonly engine: Engine;
  /** Number of running calls: an engine is not closed during them. */
  calls: number;
  isDropped: boolean;
}

type KeyedParts = NonNullable<ReturnType<typeof keyedPartsOf>>;

/** Engines that work with upstream keys of customers, by their names `kind@key`. */
export class KeyedEngines {
  readonly #parts: KeyedEngineParts;
  readonly #created = new Map<string, Engine>();
  /** Opened engines in the order of their last use. */
  readonly #opened = new Map<string, Opened>();

  constructor(parts: KeyedEngineParts) {
    this.#parts = parts;
  }

  /** Returns an engine that reads its secret when it is called; undefined for other names and unknown kinds. */
  get(name: string): Engine | undefined {
    const known = this.#created.get(name);
    if (known !== undefined) return known;
    const parts = keyedPartsOf(name);
    const template = parts === null ? undefined : this.#parts.templates.get(parts.kind);
    if (parts === null || template === undefined) return undefined;
    const engine = this.#create(name, template, parts);
    this.#created.set(name, engine);
    return engine;
  }

  /** Closes the opened engines that are not among these. */
  async keepOnly(names: ReadonlySet<string>): Promise<void> {
    for (const name of this.#created.keys()) if (!names.has(name)) this.#created.delete(name);
    await Promise.all([...this.#opened.keys()].filter((name) => !names.has(name)).map((name) => this.#drop(name)));
  }

  async close(): Promise<void> {
    await Promise.all([...this.#opened.keys()].map((name) => this.#drop(name)));
  }

  async #openedOf(name: string, kind: string, keyId: string): Promise<Opened | string> {
    const known = this.#opened.get(name);
    if (known !== undefined) {
      this.#opened.delete(name);
      this.#opened.set(name, known);
      return known;
    }
    const found = await this.#parts.readSecret(keyId);
    if ('missing' in found) return found.missing;
    // Another call may have opened it meanwhile.
    const other = this.#opened.get(name);
    if (other !== undefined) return other;
    const fresh: Opened = { engine: this.#parts.open(kind, found.secret), calls: 0, isDropped: false };
    this.#opened.set(name, fresh);
    const [oldest] = this.#opened;
    if (this.#opened.size > MOST_OPENED && oldest !== undefined) await this.#drop(oldest[0]);
    return fresh;
  }

  async #drop(name: string): Promise<void> {
    const one = this.#opened.get(name);
    this.#opened.delete(name);
    if (one === undefined) return;
    one.isDropped = true;
    if (one.calls === 0) await one.engine.close?.();
  }

  #create(name: string, template: Engine, parts: KeyedParts): Engine {
    const { kind, keyId } = parts;
    const use = <T>(call: (engine: Engine) => Promise<T>) => this.#call(name, parts, call);
    const {
      cancel,
      find,
      probe,
      readCallback,
      models: _models,
      balance: _balance,
      close: _close,
      ...shared
    } = template;
    return {
      ...shared,
      name,
      instance: { ...DEFAULT_INSTANCE, kind },
      refusal: async () => {
        const found = await this.#parts.readSecret(keyId);
        return 'missing' in found ? found.missing : found.isRemoved ? REMOVED : null;
      },
      start: (order, context) => use((engine) => engine.start(order, context)),
      check: (operation, order, context) => use((engine) => engine.check(operation, order, context)),
      ...(cancel === undefined
        ? {}
        : {
            cancel: (operation, order, context) =>
              use(async (engine) => await engine.cancel!(operation, order, context)),
          }),
      ...(find === undefined
        ? {}
        : { find: (taskId, order, context) => use(async (engine) => await engine.find!(taskId, order, context)) }),
      // Calls arrive at processes that never open secrets, so the secret part of the URL is all that is checked.
      ...(readCallback === undefined ? {} : { readCallback: async () => 'ended' as const }),
      ...(probe === undefined ? {} : { probe: (context) => use(async (engine) => await engine.probe!(context)) }),
    };
  }

  /** Calls the opened engine, which is not closed during the call. @throws EngineError if its secret cannot be read */
  async #call<T>(name: string, { kind, keyId }: KeyedParts, call: (engine: Engine) => Promise<T>): Promise<T> {
    const one = await this.#openedOf(name, kind, keyId).catch((error: unknown) => {
      throw new EngineError('upstream', 'the upstream key could not be read', { took: 'no', cause: error });
    });
    if (typeof one === 'string') throw new EngineError('upstream', one, { took: 'no' });
    one.calls++;
    try {
      return await call(one.engine);
    } finally {
      one.calls--;
      if (one.isDropped && one.calls === 0) await one.engine.close?.();
    }
  }
}
