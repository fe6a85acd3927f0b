import type { Plugin } from 'vite';

const CLASSES = /@mantine\/core\/esm\/.*\/(\w+)\.module\.mjs$/;
const STYLES = /@mantine\/core\/styles\/(\w+)\.layer\.css$/;

/** Fails the build if a component of Mantine is used whose styles are not imported, because they come one by one. */
export function checkStyles(): Plugin {
  return {
    name: 'check-styles',
    generateBundle(_options, bundle) {
      const used = Object.values(bundle).flatMap((file) =>
        file.type === 'chunk'
          ? Object.entries(file.modules).flatMap(([id, { renderedLength }]) => (renderedLength > 0 ? [id] : []))
          : [],
      );
      const imported = new Set([...this.getModuleIds()].flatMap((id) => STYLES.exec(id)?.[1] ?? []));
      const names = new Set(used.flatMap((id) => CLASSES.exec(id)?.[1] ?? []));
      const missing = [...names].filter((name) => !imported.has(name)).sort();
      if (missing.length > 0) this.error(`Import these styles in component-styles.ts: ${missing.join(', ')}`);
    },
  };
}
