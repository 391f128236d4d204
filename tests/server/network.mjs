// Loopback addresses that no other test uses, for programs that restart at their address and port.
//
//     const network = await claimNetwork();
//     await start(['--listen', network.address(2), …], { port: PORT });
//     …
//     network.release();

import { createSocket } from 'node:dgram';

/** Ports below the range from which the kernel assigns ports, so that no program gets them by chance. */
export const PORT = 28080;
export const OPS_PORT = 29090;
const CLAIM_PORT = 28053;

/** A UDP socket at an address, or null if another process has it. */
function bind(address) {
  return new Promise((resolve, reject) => {
    const socket = createSocket('udp4');
    socket.on('error', (error) => (error.code === 'EADDRINUSE' ? resolve(null) : reject(error)));
    socket.bind(CLAIM_PORT, address, () => resolve(socket));
  });
}

/**
 * Claims a network 127.x.y.0/24 until `release` is called or the process ends. The claim is a socket at 127.x.y.1: all tests that
 * run at the same time use this function.
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
