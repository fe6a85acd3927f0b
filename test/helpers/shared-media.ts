import { createMediaTools, type MediaCall, type MediaTools, MediaUnavailable } from '@darkroom-service/media';

let shared: MediaTools | null = null;

/**
 * Returns media tools for one service. The services of a test process share one media process, because starting one
 * takes a quarter of a second. Closing the tools ends the calls of this service only, as closing its own processes
 * would.
 */
export function openSharedMedia(): MediaTools {
  shared ??= createMediaTools({ size: 1 });
  const media = shared;
  const closing = new AbortController();
  const open = new Set<Promise<unknown>>();
  const run = async <Result>(call: MediaCall, start: (call: MediaCall) => Promise<Result>): Promise<Result> => {
    const signal = AbortSignal.any([closing.signal, ...(call.signal === undefined ? [] : [call.signal])]);
    const running = start({ ...call, signal });
    open.add(running);
    return await running.finally(() => open.delete(running));
  };
  return {
    probe: (path, call) => run(call, (inside) => media.probe(path, inside)),
    examineOutput: (path, call) => run(call, (inside) => media.examineOutput(path, inside)),
    dropText: (path, into, call) => run(call, (inside) => media.dropText(path, into, inside)),
    markFile: (path, into, options, call) => run(call, (inside) => media.markFile(path, into, options, inside)),
    thumbnail: (path, call) => run(call, (inside) => media.thumbnail(path, inside)),
    edit: (operation, args, call) => run(call, (inside) => media.edit(operation, args, inside)),
    async close() {
      closing.abort(new MediaUnavailable('the service is stopping'));
      await Promise.allSettled(open);
    },
  };
}
