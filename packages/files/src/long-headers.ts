import type { ClientRequest, Agent as HttpAgent } from 'node:http';
import { MAX_HEADER_BYTES } from '@darkroom-service/media';

/** Node's agents have it, its types do not. Agents of others are made by replacing it. */
interface Adding {
  addRequest(request: ClientRequest, ...more: unknown[]): void;
}

/** Lets the answers to an agent's requests have as long headers as all others that we read: the SDK has no option. */
export function withLongHeaders<Agent extends HttpAgent>(agent: Agent): Agent {
  const adding = agent as unknown as Adding;
  const add = adding.addRequest;
  adding.addRequest = (request, ...more) => {
    Object.assign(request, { maxHeaderSize: MAX_HEADER_BYTES });
    add.call(agent, request, ...more);
  };
  return agent;
}
