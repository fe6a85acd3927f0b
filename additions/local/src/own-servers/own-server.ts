/** The interfaces that an own server may have. */
export const OWN_SERVER_APIS = ['sd-server', 'comfyui', 'openai-images'] as const;

export const NETWORK_SETTINGS = ['auto', 'closed', 'open'] as const;
/** Network access of servers. `auto`: none where the system can prevent it. */
export type NetworkSetting = (typeof NETWORK_SETTINGS)[number];

/** A server that the operator's file describes. Darkroom starts it when an order needs it. */
export interface OwnServer {
  /** Name, unique in the file. */
  readonly name: string;
  /** Program and arguments. `${PORT}` is replaced by the port. */
  readonly command: readonly [string, ...string[]];
  /** Port; null = a free one, a different one at each start. */
  readonly port: number | null;
  /** Path whose GET answers 2xx once the server can be used. */
  readonly readyPath: string;
  /** Whether the server may open connections to other machines. */
  readonly needsNetwork: boolean;
  readonly api: (typeof OWN_SERVER_APIS)[number];
  /** Working directory, an absolute path; null = an empty directory that is removed afterwards. */
  readonly directory: string | null;
  /** Variables in addition to those that every server gets. `${PORT}` is replaced by the port. */
  readonly environment: Readonly<Record<string, string>>;
  /** Key that the server requires; null = none. */
  readonly key: string | null;
  /** Main memory that it needs, in bytes; null = not known. */
  readonly memoryBytes: number | null;
  readonly models: readonly OwnModel[];
}

export interface OwnModel {
  /** The server's name of the model, such as the name of a workflow. */
  readonly model: string;
  /** The server's name of the model for orders with a picture; null = none accepted. */
  readonly editModel: string | null;
  /** The catalog entry; null = none, so only routes of the operator's catalog name the model. */
  readonly entry: OwnEntry | null;
}

/** The facts of a model on an own server that its catalog entry needs. */
export interface OwnEntry {
  readonly modelId: string;
  readonly title: string;
  /** Width and height as `1024x1024`, by ratio. */
  readonly sizes: Readonly<Record<string, string>>;
  /** Price of one picture in US dollars. */
  readonly price: string;
  readonly hasNegativePrompt: boolean;
  /** Values that are sent with every order, by path. */
  readonly fixed: Readonly<Record<string, unknown>>;
}

/** Folder of own servers among the names of servers; no pulled model can have such a name. */
export const OWN = 'own/';
export const PORT_WORD = `\${PORT}`;

/** Returns the name under which the server is listed, and with which the models of its routes begin. */
export function listedName({ name }: Pick<OwnServer, 'name'>): string {
  return `${OWN}${name}`;
}

/** Returns the model of a route. */
export function routeModel(server: Pick<OwnServer, 'name'>, model: string): string {
  return `${listedName(server)}/${model}`;
}

/** Finds the own server of a route's model. @returns null if the model is not one of an own server */
export function ownServerOf(
  servers: readonly OwnServer[],
  route: string,
): { readonly server: OwnServer; readonly model: string } | null {
  if (!route.startsWith(OWN)) return null;
  const end = route.indexOf('/', OWN.length);
  const server = servers.find(({ name }) => name === route.slice(OWN.length, end));
  return server === undefined ? null : { server, model: route.slice(end + 1) };
}
