import { isJsonObject, type JsonValue } from '@darkroom-service/contract';
import { describeValue } from '@darkroom-service/darkroom/kernel-orders';
import { listOf, unsupported } from './read-values.ts';

const MADE = ['IMAGE', 'VIDEO'];

/** Refuses a request that wants neither images nor films. @throws ServiceError */
export function checkModalities(value: JsonValue, param: string): void {
  const wanted = listOf(value).map((one) => (typeof one === 'string' ? one.toUpperCase() : describeValue(one)));
  if (wanted.length === 0 || wanted.some((one) => MADE.includes(one))) return;
  throw unsupported(
    param,
    `this service makes images and films, and no text or speech; found ${wanted.join(', ')}. Send IMAGE or VIDEO.`,
  );
}

/** Refuses tools: no model here calls any. @throws ServiceError */
export function checkTools(value: JsonValue, param = 'tools'): void {
  const isEmpty = isJsonObject(value) ? Object.keys(value).length === 0 : listOf(value).length === 0;
  if (!isEmpty) throw unsupported(param, 'this service makes images and films, and calls no tools. Omit it.');
}

/** Refuses JSON as the form of the answer. @throws ServiceError */
export function checkMimeType(value: JsonValue, param: string): void {
  if (typeof value !== 'string' || !/json|xml|x\.enum/.test(value)) return;
  throw unsupported(param, `this service makes images and films, and no ${value}. Omit it.`);
}
