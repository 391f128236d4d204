// A cgroup with a memory limit for one program. The kernel kills the program if it exceeds the limit.

import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';

/** Version 1 and 2: the folder of the groups, and the files of a group. */
const VERSIONS = [
  { folder: '/sys/fs/cgroup/memory', limit: 'memory.limit_in_bytes', peak: 'memory.max_usage_in_bytes', kills: 'memory.oom_control' },
  { folder: '/sys/fs/cgroup', limit: 'memory.max', peak: 'memory.peak', kills: 'memory.events' },
];

let count = 0;

/** Makes a group with this limit in bytes; null if this machine allows none. `remove` it when its processes have ended. */
export function memoryGroup(bytes) {
  for (const { folder, limit, peak, kills } of VERSIONS) {
    const group = `${folder}/arbiter-test-${process.pid}-${count += 1}`;
    try {
      mkdirSync(group);
    } catch {
      continue;
    }
    if (!existsSync(`${group}/${limit}`)) {
      rmdirSync(group);
      continue;
    }
    writeFileSync(`${group}/${limit}`, String(bytes));
    const read = (name) => readFileSync(`${group}/${name}`, 'latin1');
    return {
      /** Starts a program in the group. */
      under: ['sh', '-c', 'echo $$ >"$0/cgroup.procs" && exec "$@"', group],
      /** The most memory that was used, in bytes. */
      peak: () => Number(read(peak)),
      /** Processes that were killed. */
      kills: () => Number(/^oom_kill (\d+)$/m.exec(read(kills))[1]),
      /** False: a process of it has not ended. */
      remove: () => {
        try {
          rmdirSync(group);
        } catch (error) {
          if (error.code === 'EBUSY') return false;
          throw error;
        }
        return true;
      },
    };
  }
  return null;
}
