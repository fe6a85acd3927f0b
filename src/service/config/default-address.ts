/** Host on which a service listens and where commands look for one, unless `DARKROOM_HOST` says otherwise. */
export const DEFAULT_HOST = '127.0.0.1';
export const DEFAULT_PORT = 8080;
