// Creates a cgroup with a memory limit for one program. The kernel kills the program if it exceeds the limit.

import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';

/** For cgroups version 1 and version 2: the parent folder, and the names of the files in a group. */
const VERSIONS = [
  { folder: '/sys/fs/cgroup/memory', limit: 'memory.limit_in_bytes', peak: 'memory.max_usage_in_bytes', kills: 'memory.oom_control' },
  { folder: '/sys/fs/cgroup', limit: 'memory.max', peak: 'memory.peak', kills: 'memory.events' },
];

let count = 0;

/** Creates a group with this limit in bytes; returns null if this machine doesn't allow it. Call `remove` when its processes have ended. */
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
      /** The command prefix that starts a program in the group. */
      under: ['sh', '-c', 'echo $$ >"$0/cgroup.procs" && exec "$@"', group],
      /** Returns the peak memory use in bytes. */
      peak: () => Number(read(peak)),
      /** Returns the number of processes that the kernel has killed. */
      kills: () => Number(/^oom_kill (\d+)$/m.exec(read(kills))[1]),
      /** Removes the group. Returns false if one of its processes is still running. */
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
