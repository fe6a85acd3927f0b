/** Whether parts of a file's name in a release are unknown: each `*` stands for one. */
export function isPattern(asset: string): boolean {
  return asset.includes('*');
}

/** Returns the expression for the names that a name or a pattern matches. They never lead to another folder. */
export function assetPattern(asset: string): RegExp {
  const parts = asset.split('*').map((part) => part.replaceAll(/[^\w-]/g, '\\$&'));
  return new RegExp(`^${parts.join('[\\w.-]+')}$`);
}
