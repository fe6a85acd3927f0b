/** What the service tells the keeper: the one command to run. */
export interface StartMessage {
  readonly command: string;
  readonly args: readonly string[];
  readonly directory: string;
  readonly environment: Readonly<Record<string, string>>;
}

/** What the keeper tells the service. */
export type KeeperMessage =
  | { readonly type: 'started'; readonly pid: number }
  | { readonly type: 'ended'; readonly how: string };
