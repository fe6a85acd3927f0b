import { type ComponentType, type LazyExoticComponent, lazy } from 'react';

const NAME = 'darkroom.loaded-again';
const LATELY_MS = 15_000;

/** A part of the console could not be loaded: the service is down, or has been upgraded. */
export class PartMissing extends Error {
  constructor(cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    this.name = 'PartMissing';
  }
}

/**
 * Creates a component that is loaded when first shown, together with the styles of Mantine's components. If that
 * fails, it throws `PartMissing`, which the error boundary handles.
 * @param options.needsOnlyFirstStyles for parts that use only components of `first-styles.ts`
 */
export function lazyPart<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  { needsOnlyFirstStyles = false } = {},
): LazyExoticComponent<ComponentType<Props>> {
  return lazy(async () => {
    try {
      const [component] = await Promise.all([load(), needsOnlyFirstStyles ? null : import('../component-styles.ts')]);
      return { default: component };
    } catch (error) {
      throw new PartMissing(error);
    }
  });
}

/**
 * Reloads the page, the only way to request a part again, because browsers cache failed modules. The tab keeps what was
 * typed.
 * @returns false, without a reload, if that was tried a moment ago
 */
export function loadAgain(): boolean {
  if (Date.now() - Number(sessionStorage.getItem(NAME) ?? 0) < LATELY_MS) return false;
  sessionStorage.setItem(NAME, String(Date.now()));
  location.reload();
  return true;
}
