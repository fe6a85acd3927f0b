import { CALLBACKS, callbacksTo } from '../../src/additions/callbacks/callbacks.ts';
import { ADDITIONS } from '../../src/additions/list.ts';

/** All additions; upstreams are given the service's own address to call, although it is not public. */
export const CALLED_ANYWHERE = ADDITIONS.map((addition) =>
  addition === CALLBACKS ? callbacksTo(({ settings }) => settings.publicUrl) : addition,
);
