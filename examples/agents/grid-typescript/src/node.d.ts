// What the client uses of Node beyond the web's own types, so that the compiler is all there is to install.

declare module "node:fs" {
  export function openSync(path: string, flags: string | number, mode?: number): number;
  export function writeFileSync(fd: number, text: string): void;
  export function readFileSync(path: string, encoding: "utf8"): string;
  export function fsyncSync(fd: number): void;
  export function closeSync(fd: number): void;
  export function renameSync(from: string, to: string): void;
}

declare module "node:path" {
  export function dirname(path: string): string;
}

declare module "node:util" {
  export function parseArgs(config: {
    args: string[];
    options: Record<string, { type: "string" | "boolean"; default?: string }>;
    strict: true;
    allowPositionals: false;
  }): { values: Record<string, string | boolean | undefined> };
}

declare module "node:process" {
  export const argv: string[];
  export const env: Record<string, string | undefined>;
  export const platform: string;
  export function exit(status: number): never;
}
