import { createHash } from 'node:crypto';
import { nextTurn, world } from '@darkroom-service/contract';

/** A text for every process that listens to the channel. */
export interface Notice {
  readonly channel: string;
  readonly text: string;
}

/** Carries notices between the processes of one database. A lost notice only costs time. */
export interface NoticeCarrier {
  /** Whether processes can receive anything. */
  readonly sends: boolean;
  /** Whether this process can receive anything. */
  readonly listens: boolean;
  /** The maximum number of channels that one process may listen to. */
  readonly mostChannels: number;
  /** Reason for which no notices arrive now; null if they do, or if this process does not listen. */
  readonly fault: string | null;
  send(notices: readonly Notice[]): Promise<void>;
  /**
   * Resolves once the process listens to the channels of `added` and no longer to those of `removed`. After a lost
   * connection the carrier listens to all of them again by itself.
   */
  listen(added: readonly string[], removed: readonly string[]): Promise<void>;
  /** Stops listening. Notices can still be sent. */
  close(): Promise<void>;
}

/** Events of a carrier of notices. */
export interface CarrierEvents {
  readonly onNotice: (text: string) => void;
  /** Notices may have been missed. */
  readonly onGap: () => void;
  readonly onFault: (error: unknown, what: string) => void;
}

/** Milliseconds in which at most one message is sent: the first notice at once, the others together. */
const GATHER_MS = 20;
/** Maximum bytes of a notice; PostgreSQL accepts 8,000. */
const TEXT_BYTES = 7_500;

interface Channel {
  /** Number of listeners. */
  count: number;
  isListened: boolean;
  readonly waiting: Set<() => void>;
}

/** The carrier until the real one is open. */
const NOWHERE: NoticeCarrier = {
  sends: false,
  listens: false,
  mostChannels: 0,
  fault: null,
  send: async () => {},
  listen: async () => {},
  close: async () => {},
};

/** Sends and receives topics over a carrier: addressed to channels, gathered, and without this process's own. */
export class Notices {
  #carrier: NoticeCarrier = NOWHERE;
  readonly #onFault: CarrierEvents['onFault'];
  readonly #self = world.randomUUID().slice(0, 8);
  readonly #listeners = new Set<(topics: readonly string[]) => void>();
  readonly #channels = new Map<string, Channel>();
  #gathered: Map<string, Set<string>> | null = null;
  #sending: Promise<void> = Promise.resolve();
  #listening: Promise<void> | null = null;
  #timer: NodeJS.Timeout | null = null;
  #flushedAt = Number.NEGATIVE_INFINITY;
  #heard = 0;
  #isClosed = false;

  private constructor(onFault: CarrierEvents['onFault']) {
    this.#onFault = onFault;
  }

  /** Opens the notices. @param open opens the carrier, which receives from the moment it resolves */
  static async open(
    open: (events: CarrierEvents) => Promise<NoticeCarrier>,
    onFault: CarrierEvents['onFault'],
  ): Promise<Notices> {
    const notices = new Notices(onFault);
    notices.#carrier = await open({
      onFault,
      onNotice: (text) => notices.#receive(text),
      onGap: () => {
        notices.#heard++;
      },
    });
    return notices;
  }

  /** Number of notices that arrived or may have been missed. */
  get heard(): number {
    if (!this.#carrier.listens) this.#heard++;
    return this.#heard;
  }

  get listens(): boolean {
    return this.#carrier.listens;
  }

  get fault(): string | null {
    return this.#carrier.fault;
  }

  announce(channel: string, topics: readonly string[]): void {
    if (!this.#carrier.sends) return;
    this.#gathered ??= new Map();
    const ofChannel = this.#gathered.get(channel) ?? new Set();
    this.#gathered.set(channel, ofChannel);
    for (const topic of topics) ofChannel.add(topic);
    const sinceLast = world.monotonic() - this.#flushedAt;
    this.#timer ??= world.setTimeout(() => this.#flush(), Math.max(0, GATHER_MS - sinceLast));
  }

  /** Listens to a channel. @param onListening called once everything sent to it from now on is received */
  listenTo(name: string, onListening?: () => void): () => void {
    if (!this.#carrier.listens) return () => {};
    const channel = this.#channels.get(name) ?? { count: 0, isListened: false, waiting: new Set() };
    this.#channels.set(name, channel);
    channel.count++;
    if (channel.isListened) onListening?.();
    else if (onListening !== undefined) channel.waiting.add(onListening);
    this.#changeChannels();
    let isEnded = false;
    return () => {
      if (isEnded) return;
      isEnded = true;
      channel.count--;
      if (onListening !== undefined) channel.waiting.delete(onListening);
      this.#changeChannels();
    };
  }

  onRemoteChange(listener: (topics: readonly string[]) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#carrier.close();
    await this.#listening;
    if (this.#timer !== null) this.#flush();
    await this.#sending;
  }

  #flush(): void {
    if (this.#timer !== null) world.clearTimeout(this.#timer);
    this.#timer = null;
    if (this.#gathered === null) return;
    this.#flushedAt = world.monotonic();
    const notices = [...this.#gathered].flatMap(([channel, topics]) =>
      textsOf(this.#self, topics).map((text) => ({ channel, text })),
    );
    this.#gathered = null;
    this.#sending = this.#sending.then(async () => {
      try {
        await this.#carrier.send(notices);
      } catch (error) {
        this.#onFault(error, 'could not notify other processes of a change; they find it within a second');
      }
    });
  }

  #changeChannels(): void {
    if (this.#isClosed) return;
    this.#listening ??= this.#listen().finally(() => {
      this.#listening = null;
    });
  }

  /** Tells the carrier the changed channels. Changes made meanwhile follow together. */
  async #listen(): Promise<void> {
    for (;;) {
      // Changes of this turn of the event loop share a message.
      await nextTurn();
      const removed = [...this.#channels].filter(([, { count }]) => count === 0);
      for (const [name] of removed) this.#channels.delete(name);
      const listened = [...this.#channels.values()].filter(({ isListened }) => isListened).length;
      const added = [...this.#channels]
        .filter(([, { isListened }]) => !isListened)
        // Channels beyond the maximum are polled.
        .slice(0, Math.max(0, this.#carrier.mostChannels - listened));
      const gone = removed.filter(([, { isListened }]) => isListened).map(([name]) => name);
      if (this.#isClosed || (added.length === 0 && gone.length === 0)) return;
      try {
        await this.#carrier.listen(
          added.map(([name]) => name),
          gone,
        );
      } catch {
        // The connection is lost. The carrier listens again once it is back, and reports the gap.
      }
      for (const [, channel] of added) {
        channel.isListened = true;
        for (const notify of channel.waiting) notify();
        channel.waiting.clear();
      }
    }
  }

  #receive(text: string): void {
    const [sender, ...topics] = text.split(' ');
    if (sender === this.#self) return;
    this.#heard++;
    for (const listener of [...this.#listeners]) listener(topics);
  }
}

/** Returns a name for a channel where its characters might have a meaning: 32 hexadecimal digits. */
export function digestOfChannel(channel: string): string {
  return createHash('sha256').update(channel).digest('hex').slice(0, 32);
}

function textsOf(self: string, topics: ReadonlySet<string>): string[] {
  const texts: string[] = [];
  let text = self;
  for (const topic of topics) {
    if (text.length + 1 + topic.length > TEXT_BYTES) {
      texts.push(text);
      text = self;
    }
    text += ` ${topic}`;
  }
  return [...texts, text];
}
