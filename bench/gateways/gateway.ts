import type { RunningPeer } from '../peers/peer-process.ts';

/** A way from the caller to the upstream. */
export interface Gateway {
  readonly name: string;
  /** Returns the command that installs what is missing; null if nothing is. */
  missing(): string | null;
  /** Starts the gateway with empty data. */
  start(world: World): Promise<RunningGateway>;
}

export interface World {
  /** A directory for the files of this gateway alone. */
  readonly directory: string;
  /** The upstream's address, whose API is below `/v1`. */
  readonly upstream: string;
}

export interface RunningGateway extends Pick<RunningPeer, 'end'> {
  /** The processes that work for it, besides those that they start. */
  readonly pids: readonly number[];
  /** The whole URL of OpenAI's `images/generations`. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly model: string;
  /** The 99th percentile of the delay of its event loop since the last call, in milliseconds; an idle one has 10. */
  loopDelayMs?(): Promise<number>;
}
