import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

import { firstParts } from './first-parts.ts';
import { mantineStyles } from './mantine-styles.ts';

const SERVICE = 'http://127.0.0.1:8080';

/** Relative addresses throughout, so that the console works below any public path. */
export default defineConfig({
  root: import.meta.dirname,
  base: './',
  plugins: [react(), mantineStyles(), firstParts()],
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2023',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 1_000,
    rolldownOptions: {
      output: {
        codeSplitting: {
          // Few files, because on a slow line each round of requests takes as long as many kilobytes.
          groups: [
            { name: 'first', tags: ['$initial'], priority: 6 },
            { name: 'make', test: /pages\/make\/make-page\.tsx$/, priority: 5 },
            { name: 'sign-in', test: /pages\/sign-in\/sign-in-page\.tsx$/, priority: 4 },
            {
              name: 'use',
              test: /(stage|form-rest|placing|frame-foot)\.tsx$/,
              priority: 3,
            },
            // What the first page shows last, and the bars that the frame then loads.
            { name: 'wall', test: /(work|beginning|alert-mark|undo-bar)\.tsx$/, priority: 2 },
            { name: 'palette', test: /palette\.tsx$/, priority: 1 },
            { name: 'shared', minShareCount: 2, priority: 0 },
          ],
        },
      },
    },
  },
  server: {
    proxy: Object.fromEntries(
      ['/v1', '/admin/v1', '/files', '/console/session', '/openapi.json', '/healthz', '/readyz', '/docs'].map(
        (path) => [path, SERVICE],
      ),
    ),
  },
});
