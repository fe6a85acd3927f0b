/** The service's message to the keeper: the one command to run. */
export interface StartMessage {
  readonly command: string;
  readonly args: readonly string[];
  readonly directory: string;
  readonly environment: Readonly<Record<string, string>>;
  /**
   * Port of the server if it has a network of its own. A listener for it comes with the message. Null: no network of
   * its own.
   */
  readonly relayTo: number | null;
}

/** Message that makes the keeper end its server and itself. */
export const END = 'end';

/** A message of the keeper to the service. */
export type KeeperMessage =
  | { readonly type: 'started'; readonly pid: number }
  | { readonly type: 'ended'; readonly how: string };
