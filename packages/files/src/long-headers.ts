import type { ClientRequest, Agent as HttpAgent } from 'node:http';
import { MAX_HEADER_BYTES } from '@darkroom-service/media';

/** The method of Node's agents that other agents override; Node's types lack it. */
interface Adding {
  addRequest(request: ClientRequest, ...more: unknown[]): void;
}

/** Sets our usual limit of header bytes for responses to an agent's requests: the SDK has no option for that. */
export function withLongHeaders<Agent extends HttpAgent>(agent: Agent): Agent {
  const adding = agent as unknown as Adding;
  const add = adding.addRequest;
  adding.addRequest = (request, ...more) => {
    Object.assign(request, { maxHeaderSize: MAX_HEADER_BYTES });
    add.call(agent, request, ...more);
  };
  return agent;
}
