// Web Crypto, which older releases of Node keep in a module.
export const { subtle } = globalThis.crypto ?? (await import('node:crypto')).webcrypto;
