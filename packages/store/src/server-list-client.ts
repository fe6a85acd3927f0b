import { Client, type ClientConfig } from 'pg';
import { chooseServer, type ServerChoice } from './choose-server.ts';

type Connected = (error: Error | null, client?: Client) => void;

/** The open connections by URL; connections to a server that another one has replaced are closed. */
const connected = new Map<string, Map<Client, ServerChoice>>();

/** Client of a URL that names several servers: it finds the right one when it connects. */
export class ServerListClient extends Client {
  readonly #url: string;
  #isStandby = false;

  /** Creates a client. @param config the settings of one of the servers; all have the same except for the address */
  constructor(url: string, config: ClientConfig) {
    super(config);
    this.#url = url;
    // A server that shuts down can end a connection before the pool listens, which learns a turn later that it is open.
    this.on('error', () => {});
    // The server reports it at the start of a connection, and again when it takes over.
    this.connection.on('parameterStatus', ({ parameterName, parameterValue }) => {
      if (parameterName === 'in_hot_standby') this.#isStandby = parameterValue === 'on';
    });
  }

  override connect(): Promise<Client>;
  override connect(callback: Connected): void;
  override connect(callback?: Connected): Promise<Client> | undefined {
    const done = this.#connect();
    if (callback === undefined) return done;
    done.then((client) => callback(null, client), callback);
    return undefined;
  }

  async #connect(): Promise<Client> {
    const choice = await chooseServer(this.#url);
    this.host = choice.host;
    this.port = choice.port;
    await super.connect();
    if (choice.target === 'writes' && this.#isStandby) {
      this.connection.stream.destroy();
      throw Object.assign(new Error(`${choice.host}:${choice.port} has just become a standby`), { code: 'ECONNRESET' });
    }
    const open = connected.get(this.#url) ?? new Map<Client, ServerChoice>();
    connected.set(this.#url, open);
    // Nothing is read from a server that was replaced.
    for (const [client, { timeline }] of open)
      if (timeline < choice.timeline)
        client.connection.stream.destroy(new Error('Connection terminated: another server has taken over'));
    open.set(this, choice);
    this.once('end', () => open.delete(this));
    return this;
  }
}
