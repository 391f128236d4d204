// The WebAssembly module as the tests use it. script/wasm must have built it.

import { readFileSync } from 'node:fs';
import { Engine, instantiate } from '../../client/local/engine.js';

export const WASM = new URL('../../build-wasm/arbiter.wasm', import.meta.url);
const compiled = new WebAssembly.Module(readFileSync(WASM));

/** @param {Record<string, number>} [limits] */
export const newEngine = (limits, instance = newInstance()) => new Engine(instance, limits);
export const newInstance = () => instantiate(compiled);

/**
 * Answers a request as a server does.
 * @param {Engine} engine
 * @param {{ method: string, target: string, headers?: Record<string, string>, body?: string | Buffer }} request
 * @returns {{ status: number, headers: Map<string, string>, list: (name: string) => string[], body: Buffer, text: () => string }}
 */
export function ask(engine, { method, target, headers = {}, body = '' }) {
  const parts = [...engine.answer({ method, target, headers: [['Host', 'localhost'], ...Object.entries(headers)], body: Buffer.from(body) })];
  const { head } = parts[0], got = new Map();
  for (const [name, value] of head.headers) {
    const before = got.get(name.toLowerCase());
    got.set(name.toLowerCase(), before === undefined ? value : `${before}, ${value}`);
  }
  const bytes = Buffer.concat(parts.map((part) => part.bytes));
  return {
    status: head.status,
    headers: got,
    list: (name) => (got.get(name) ?? '').toLowerCase().split(',').map((word) => word.trim()),
    body: bytes,
    text: () => bytes.toString(),
  };
}
