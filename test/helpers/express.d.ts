/** As much of Express as a test uses. Its types are a package of their own. */
declare module 'express' {
  import type { RequestListener } from 'node:http';

  interface Application extends RequestListener {
    use(path: string, listener: RequestListener): void;
  }

  export default function express(): Application;
}
