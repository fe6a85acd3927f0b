import type { Addition } from '../../service/addition.ts';

/** Cells share the capacity and the limits of upstream accounts. */
export const PARTS: Addition = {
  name: 'parts',
  async shareLimits(limits, sharing, closers) {
    const { partsUrl } = sharing.config;
    if (partsUrl === null) return limits;
    return await (await import('./shared-limits.ts')).openSharedLimits(limits, { ...sharing, partsUrl }, closers);
  },
  async diagnose({ partsUrl }) {
    return partsUrl === null ? [] : [await (await import('./diagnose-parts.ts')).diagnoseParts(partsUrl)];
  },
};
