import { type ComponentType, createElement, lazy, startTransition, useEffect, useState } from 'react';

const NAME = 'darkroom.loaded-again';
const LATELY_MS = 15_000;

/** A part of the console could not be loaded: the service is down, or has been upgraded. */
export class PartMissing extends Error {
  constructor(cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    this.name = 'PartMissing';
  }
}

/** A component that is loaded when first shown. */
export interface Part<Props> {
  (props: Props): ReturnType<typeof createElement>;
  /** Loads the component before it is shown. Never rejects: a failure is reported where the component is shown. */
  request(): Promise<void>;
}

/**
 * Creates a component that is loaded when first shown. If that fails, it throws `PartMissing`, which the error boundary
 * handles.
 */
export function lazyPart<Props extends object>(load: () => Promise<ComponentType<Props>>): Part<Props> {
  let loaded: ComponentType<Props> | null = null;
  const loadAll = async () => {
    try {
      loaded = await load();
      return { default: loaded };
    } catch (error) {
      throw new PartMissing(error);
    }
  };
  const Lazy = lazy(loadAll);
  function LoadedPart(props: Props) {
    // React shows a component that suspended up to 300 ms late. A loaded one need not suspend.
    const [Shown] = useState<ComponentType<Props>>(() => loaded ?? Lazy);
    return createElement(Shown, props);
  }
  const request = async () => {
    await loadAll().catch(() => undefined);
  };
  return Object.assign(LoadedPart, { request });
}

/**
 * Reloads the page. That is the only way to request a part again, because browsers cache failed modules. The tab keeps
 * all input.
 * @returns false, without a reload, if one was tried a moment ago
 */
export function loadAgain(): boolean {
  if (Date.now() - Number(sessionStorage.getItem(NAME) ?? 0) < LATELY_MS) return false;
  sessionStorage.setItem(NAME, String(Date.now()));
  location.reload();
  return true;
}

/**
 * Loads parts after a component is mounted, for parts that its first rendering does not need.
 * @param parts the same array on every call
 * @returns true once they are loaded or have failed
 */
export function useLoadedParts(parts: readonly Pick<Part<never>, 'request'>[]): boolean {
  const [areLoaded, setLoaded] = useState(false);
  useEffect(() => {
    let isMounted = true;
    void Promise.all(parts.map((part) => part.request())).then(() => {
      if (isMounted) startTransition(() => setLoaded(true));
    });
    return () => {
      isMounted = false;
    };
  }, [parts]);
  return areLoaded;
}
