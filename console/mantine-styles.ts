import type { Plugin } from 'vite';

const CLASSES = /@mantine\/core\/esm\/.*\/(\w+)\.module\.mjs$/;
const BEFORE_COMPONENTS = ['baseline', 'default-css-variables', 'global'];

/**
 * Imports the styles of each Mantine component where its class names are, so that a chunk brings the styles of its
 * components and no others. The development server bundles Mantine before any transformation, so it gets all styles.
 */
export function mantineStyles(): Plugin {
  let isBuild = true;
  return {
    name: 'mantine-styles',
    configResolved({ command }) {
      isBuild = command === 'build';
    },
    transform(code, id) {
      const [, component] = CLASSES.exec(id) ?? [];
      if (component !== undefined) return { code: `${importOf(component)}${code}`, map: null, moduleSideEffects: true };
      if (!id.endsWith('/console/src/main.tsx')) return null;
      const first = isBuild ? BEFORE_COMPONENTS.map(importOf).join('') : `import '@mantine/core/styles.layer.css';`;
      return { code: `${first}${code}`, map: null };
    },
  };
}

function importOf(name: string): string {
  return `import '@mantine/core/styles/${name}.layer.css';`;
}
