import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { checkStyles } from './check-styles.ts';

const SERVICE = 'http://127.0.0.1:8080';

/** Relative addresses throughout, so that the console works below any public path. */
export default defineConfig({
  root: import.meta.dirname,
  base: './',
  plugins: [react(), checkStyles()],
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2023',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 1_000,
  },
  server: {
    proxy: Object.fromEntries(
      ['/v1', '/admin/v1', '/files', '/console/session', '/openapi.json', '/healthz', '/readyz', '/docs'].map(
        (path) => [path, SERVICE],
      ),
    ),
  },
});
