import type { Engine } from './engine.ts';
import { type LimitSetting, openUpstreams, type Upstreams, type UpstreamTools } from './upstreams.ts';
import { VENDOR_NAMES } from './vendor-descriptors.ts';
import type { Vendors } from './vendors.ts';

/** The engines that need a key and nothing else. */
export const KEY_KINDS: readonly string[] = ['fal', 'replicate', ...VENDOR_NAMES];

/**
 * Creates an engine of a kind with a key, at the vendor's own address.
 * @param limits by engine name; only the time-outs apply, since the concurrency is that of the operator's account
 */
export function openKind(
  kind: string,
  key: string,
  tools: UpstreamTools,
  limits: Readonly<Record<string, LimitSetting>>,
): Engine {
  const access = { key, url: null, variable: '' };
  const only = (name: string) => (name === kind ? access : null);
  const vendors = Object.fromEntries(VENDOR_NAMES.map((name) => [name, only(name)])) as Vendors;
  const none = { azureOpenai: null, vertex: null, comfyui: null, sdServer: null };
  const upstreams: Upstreams = { fal: only('fal'), replicate: only('replicate'), vendors, ...none };
  const timeOut = limits[kind]?.callTimeoutMs ?? null;
  const [opened] = openUpstreams(upstreams, tools, { [kind]: { concurrency: null, callTimeoutMs: timeOut } });
  if (opened === undefined) throw new Error(`there is no engine ${kind} that needs only a key`);
  return opened.engine;
}
