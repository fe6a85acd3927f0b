import type { Plugin, Rolldown } from 'vite';

/** Parts that the start script requests, by their source. */
const PARTS = {
  make: /\/pages\/make\/make-page\.tsx$/,
  signIn: /\/pages\/sign-in\/sign-in-page\.tsx$/,
};

/** Tells the start script in the page the files of the parts that a first page may need besides the first code. */
export function firstParts(): Plugin {
  return {
    name: 'first-parts',
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle, chunk }) {
        if (bundle === undefined || chunk === undefined) return html;
        const first = new Set(filesOf(bundle, chunk.fileName));
        const parts = Object.entries(PARTS).map(([name, source]) => {
          const part = Object.values(bundle).find(
            (file) => file.type === 'chunk' && file.moduleIds.some((module) => source.test(module)),
          );
          if (part === undefined) return this.error(`no chunk of ${source}`);
          return [name, filesOf(bundle, part.fileName).filter((file) => !first.has(file))];
        });
        return html.replace('data-parts="{}"', `data-parts='${JSON.stringify(Object.fromEntries(parts))}'`);
      },
    },
  };
}

/** Returns a chunk, its styles and all that it imports. */
function filesOf(bundle: Rolldown.OutputBundle, name: string, seen = new Set<string>()): string[] {
  const file = bundle[name];
  if (seen.has(name) || file?.type !== 'chunk') return [];
  seen.add(name);
  const styles = [...(file.viteMetadata?.importedCss ?? [])];
  return [name, ...styles, ...file.imports.flatMap((imported) => filesOf(bundle, imported, seen))];
}
