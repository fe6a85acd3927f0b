import type { Fault } from '@darkroom-service/contract';

/** The paths of fields that the sender of a body used, by the paths that stand for them in the request. */
export type SentPaths = ReadonlyMap<string, string>;

/** Makes faults name the fields that the sender of the body used. */
export function asSent(faults: readonly Fault[], paths: SentPaths | undefined): readonly Fault[] {
  if (paths === undefined) return faults;
  return faults.map((fault) => {
    const { param, message } = fault;
    const sent = param === null ? undefined : paths.get(param);
    if (param === null || sent === undefined) return fault;
    const isNamed = message.startsWith(param) && !/^[\w[.]/.test(message.slice(param.length));
    return { ...fault, param: sent, message: isNamed ? `${sent}${message.slice(param.length)}` : message };
  });
}
