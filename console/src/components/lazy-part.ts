import { type ComponentType, type LazyExoticComponent, lazy } from 'react';

const NAME = 'darkroom.loaded-again';
const LATELY_MS = 15_000;

/** A part of the console could not be fetched: the service is down, or another version of it is up by now. */
export class PartMissing extends Error {
  constructor(cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    this.name = 'PartMissing';
  }
}

/** A component that is fetched when it is first shown. Where that fails it throws `PartMissing`, which the error boundary knows. */
export function lazyPart<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): LazyExoticComponent<ComponentType<Props>> {
  return lazy(async () => {
    try {
      return { default: await load() };
    } catch (error) {
      throw new PartMissing(error);
    }
  });
}

/**
 * Loads the page again, which is the only way to ask for a part once more: browsers remember that a module failed. What was typed is kept by
 * the tab. Answers false, and does nothing, if that was tried a moment ago.
 */
export function loadAgain(): boolean {
  if (Date.now() - Number(sessionStorage.getItem(NAME) ?? 0) < LATELY_MS) return false;
  sessionStorage.setItem(NAME, String(Date.now()));
  location.reload();
  return true;
}
