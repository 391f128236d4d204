// Loopback addresses that no other test uses, for programs that are restarted on the same address and port.
//
//     const network = await claimNetwork();
//     await start(['--listen', network.address(2), …], { port: PORT });
//     …
//     network.release();

import { createSocket } from 'node:dgram';

/** Ports below the ephemeral range, so that the kernel doesn't assign them to any program by chance. */
export const PORT = 28080;
export const OPS_PORT = 29090;
const CLAIM_PORT = 28053;

/** Returns a UDP socket bound to an address, or null if another process has claimed the address. */
function bind(address) {
  return new Promise((resolve, reject) => {
    const socket = createSocket('udp4');
    socket.on('error', (error) => (error.code === 'EADDRINUSE' ? resolve(null) : reject(error)));
    socket.bind(CLAIM_PORT, address, () => resolve(socket));
  });
}

/**
 * Claims a network 127.x.y.0/24 until `release` is called or the process exits. The claim is a socket bound to 127.x.y.1. This works
 * because all tests that run at the same time use this function.
 */
export async function claimNetwork() {
  for (let number = process.pid; ; number += 1) {
    const network = `127.${64 + ((number >> 8) & 127)}.${number & 255}`;
    const claim = await bind(`${network}.1`);
    if (claim === null) continue;
    claim.unref();
    return { address: (host) => `${network}.${host}`, release: () => claim.close() };
  }
}
