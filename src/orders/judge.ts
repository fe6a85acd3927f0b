import type { Fault } from '@darkroom-service/contract';
import {
  type MediaMeasurement,
  type MediaReference,
  type Model,
  type ResolvedRequest,
  type Schema,
  vendorAddressesIn,
} from '@darkroom-service/contract/catalog';
import { judgeUrl } from '@darkroom-service/media';
import { measureRequest } from '../catalog/measure-request.ts';
import { paramOf, replaceMediaSources } from '../catalog/media-fields.ts';
import { type Resolution, withPrompt } from '../catalog/resolve-request.ts';
import { discardFiles, type NewFile } from '../order-files/new-file.ts';
import { orderNameIn } from '../record/batch-siblings.ts';
import { requiredEngine } from '../record/required-engine.ts';
import type { Payment, Route } from '../record/route.ts';
import type { RouteRule } from '../record/route-filter.ts';
import { measurementsOf, type TaskMedia } from '../record/task.ts';
import type { TaskServices } from '../tasks/task-services.ts';

/** An order whose model has read its fields: a create, an action, an order of a batch, a price or a blocked task. */
interface OrderToJudge<Accepted extends Route | null> {
  readonly model: Model;
  readonly mode: 'live' | 'test';
  readonly accountId: string;
  readonly resolution: Resolution;
  /** Faults of the fields that the service itself reads. */
  readonly faults: readonly Fault[];
  /** The task that an action follows up on. */
  readonly parentTaskId: string | null;
  /** Whether the price of an order that already has one is the fee for the account's own upstream key. */
  readonly isKeyed?: boolean;
  /** The rule of its routes; null = any route. */
  readonly rule: RouteRule | null;
  /** Whether it keeps the files that data URIs become. */
  readonly keepsFiles: boolean;
  /**
   * Decides about the route that supports the request. Media are stored only afterwards.
   * @param route null = none is configured, or a field that decides about it is missing
   * @param found.keepTo the only engine that can make the order
   * @param found.isBelowCost whether each route costs more than the order pays
   * @param found.isOpen whether a field that decides about the route is missing
   * @throws the refusal
   */
  acceptRoute(
    route: Route | null,
    found: { readonly keepTo: string | null; readonly isBelowCost: boolean; readonly isOpen: boolean },
  ): Accepted;
  /** Whether its price has a consent to dearer routes. */
  readonly allowsDearer: boolean;
  /** Returns the price that the order pays without an upstream key of its account. */
  quoteFor(request: ResolvedRequest, measurements: readonly MediaMeasurement[]): ReturnType<Payment['quote']>;
  findMedium(reference: MediaReference): Promise<FoundMedium>;
}

export type FoundMedium =
  | { readonly ok: true; readonly medium: TaskMedia; readonly newFile?: NewFile; readonly usesTask?: string }
  | UnusableMedium;

interface UnusableMedium {
  readonly ok: false;
  readonly message: string;
  readonly isUnfinished?: true;
}

export interface JudgedRequest {
  /**
   * The request with the file in place of a data URI, and the task in place of the name of an order, if it keeps files.
   */
  readonly request: ResolvedRequest;
  readonly media: readonly TaskMedia[];
  /** Files made of data URIs: stored already, their rows written with the order. */
  readonly newFiles: readonly NewFile[];
  /** The finished tasks whose outputs it uses. */
  readonly usedTasks: readonly string[];
  /** The facts of the price: the request, completed by the measurements of the media in our storage. */
  readonly known: { readonly request: ResolvedRequest; readonly measurements: readonly MediaMeasurement[] };
  /** The only engine that can make it. */
  readonly keepTo: string | null;
}

/**
 * Judges any order: its fields together with its media, then its route, then its media by their measurements. Media are
 * checked as far as that goes without the network.
 * @returns the request and its route, or every fault
 */
export async function judge<Accepted extends Route | null>(
  services: Pick<TaskServices, 'database' | 'log' | 'routing' | 'settings' | 'storage'>,
  order: OrderToJudge<Accepted>,
): Promise<(JudgedRequest & { readonly route: Accepted }) | { readonly faults: readonly Fault[] }> {
  const { model, mode, resolution, parentTaskId } = order;
  if (!resolution.ok || order.faults.length > 0) return { faults: await allFaults(services, order) };
  const { request } = resolution;
  const keepTo = mode === 'live' ? await requiredEngine(services.database.read, parentTaskId) : null;
  const complete = resolution.missing.length === 0 ? request : withPrompt(resolution);
  const needs = { account: order.accountId, keepTo, isKeyed: order.isKeyed, rule: order.rule };
  // A price counts a missing medium as if it were there; such a medium needs no check.
  const given = request.media.filter(({ field }) => (request.values[field] ?? null) !== null);
  const routeFor = (of: ResolvedRequest, payment: Payment | null) =>
    services.routing.routeFor(model, mode, of, { ...needs, payment });
  const accept = (chosen: ReturnType<typeof routeFor> | null) =>
    order.acceptRoute(chosen?.route ?? null, {
      keepTo,
      isBelowCost: chosen?.isBelowCost === true,
      isOpen: chosen === null,
    });
  // The cost of media is known once they are measured.
  const first = complete === null ? null : routeFor(complete, given.length > 0 ? null : payFor(order, complete, []));
  if (first !== null && first.faults.length > 0) return { faults: first.faults };
  const accepted = accept(first);
  const found = given.length === 0 ? NO_MEDIA : await findMedia(services, order, given);
  const { media, newFiles, usedTasks, sources } = found;
  const { allowedAddresses } = services.settings;
  const faults = model.compiled.vendorAddresses
    .flatMap((name) => vendorAddressesIn(model.parameters[name] as Schema, request.values[name], name))
    .flatMap(([param, address]) => faultsOfVendorAddress(param, address, allowedAddresses))
    .concat(found.faults);
  const measurements = measurementsOf(media);
  const measured = measurements.length === 0 ? { request, faults: [] } : measureRequest(model, request, measurements);
  if (faults.length === 0) faults.push(...measured.faults);
  const known = { request: measured.request, measurements };
  const isToPay = faults.length === 0 && given.length > 0 && resolution.missing.length === 0;
  const payable = isToPay ? routeFor(known.request, payFor(order, known.request, measurements)) : null;
  const isKept = faults.length === 0 && order.keepsFiles && payable?.isBelowCost !== true;
  if (!isKept && newFiles.length > 0) await discardFiles(services, keysOf(newFiles), null);
  if (faults.length > 0) return { faults };
  const isRenamed = isKept && sources.size > 0;
  return {
    request: isRenamed ? replaceMediaSources(model, request, (one) => sources.get(one) ?? one.source) : request,
    route: payable === null || payable.faults.length > 0 ? accepted : accept(payable),
    keepTo,
    media,
    usedTasks,
    known,
    newFiles: isKept ? newFiles : [],
  };
}

function payFor(
  { allowsDearer, quoteFor }: Pick<OrderToJudge<Route | null>, 'allowsDearer' | 'quoteFor'>,
  request: ResolvedRequest,
  measurements: readonly MediaMeasurement[],
): Payment {
  return { measurements, allowsDearer, quote: () => quoteFor(request, measurements) };
}

/** Returns every fault of an order that is refused for its fields, including those of its media. Stores nothing. */
async function allFaults(
  services: Pick<TaskServices, 'log' | 'storage'>,
  order: OrderToJudge<Route | null>,
): Promise<readonly Fault[]> {
  const { resolution } = order;
  const media = resolution.ok ? resolution.request.media.filter(({ source }) => source !== '') : resolution.media;
  const { newFiles, faults } = await findMedia(services, order, media);
  await discardFiles(services, keysOf(newFiles), null);
  return [...(resolution.ok ? [] : resolution.faults), ...order.faults, ...faults];
}

export function keysOf(files: readonly NewFile[]): string[] {
  return files.map(({ media }) => media.key);
}

interface FoundMedia {
  readonly media: readonly TaskMedia[];
  readonly newFiles: readonly NewFile[];
  readonly usedTasks: readonly string[];
  /** Replacements of sources that have no meaning outside of their request. */
  readonly sources: ReadonlyMap<MediaReference, string>;
  readonly faults: readonly Fault[];
}

const NO_MEDIA: FoundMedia = { media: [], newFiles: [], usedTasks: [], sources: new Map(), faults: [] };

async function findMedia(
  services: Parameters<typeof discardFiles>[0],
  order: OrderToJudge<Route | null>,
  references: readonly MediaReference[],
): Promise<FoundMedia> {
  const media: TaskMedia[] = [];
  const newFiles: NewFile[] = [];
  const usedTasks: string[] = [];
  const sources = new Map<MediaReference, string>();
  const faults: Fault[] = [];
  for (const reference of references) {
    const found = await order.findMedium(reference).catch(async (fault: unknown) => {
      await discardFiles(services, keysOf(newFiles), fault);
      throw fault;
    });
    if (!found.ok) {
      faults.push(faultOf(order.model, reference, found));
      continue;
    }
    media.push(found.medium);
    if (found.usesTask !== undefined) usedTasks.push(found.usesTask);
    const { awaited } = found.medium;
    if (awaited !== undefined && orderNameIn(reference.source) !== null)
      sources.set(reference, `task:${awaited.taskId}${awaited.number === null ? '' : `#${awaited.number}`}`);
    if (found.newFile === undefined) continue;
    newFiles.push(found.newFile);
    sources.set(reference, `upload:${found.newFile.id}`);
  }
  return { media, newFiles, usedTasks, sources, faults };
}

function faultOf(model: Model, reference: MediaReference, { message, isUnfinished }: UnusableMedium): Fault {
  const param = paramOf(model, reference);
  return { param, code: isUnfinished ? 'parent_not_ready' : 'invalid_reference', message: `${param}: ${message}.` };
}

/**
 * Checks an address that a request passes to the vendor, such as the page a film is made from. It obeys the same rules
 * as the media that this service fetches: an address that is private here may be private at the vendor too.
 */
function faultsOfVendorAddress(param: string, address: string, allowedAddresses: readonly string[]): Fault[] {
  const verdict = judgeUrl(address, allowedAddresses);
  if (verdict.ok) return [];
  return [{ param, code: 'invalid_reference', message: `${param}: ${verdict.message}.` }];
}
