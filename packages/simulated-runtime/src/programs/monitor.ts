/** Simulates programs that show the state of the machine: top, ipcs, netstat. */
import type { Process, Program } from '../machine/process.ts';
import { parseOptions } from './support.ts';

/** Interval between two screens of `top`, in milliseconds. */
const topInterval = 5_000;

/** Simulates `top`: prints the processes every five seconds until it is stopped, or `-n` times. */
const top: Program = async (process) => {
  const { values } = parseOptions(process.args, 'nd');
  const screens = Number(values.get('n') ?? Number.POSITIVE_INFINITY);
  const interval = values.has('d') ? Number(values.get('d')) * 1_000 : topInterval;
  for (let screen = 1; ; screen++) {
    const { usedMemory, memoryLimit, pidNamespace } = process.machine;
    const lines = [
      `Mem: ${Math.round(usedMemory / 1024)}K used, ${Math.round((memoryLimit - usedMemory) / 1024)}K free`,
      'Load average: 0.10 0.05 0.01',
      '  PID USER     STAT COMMAND',
      ...pidNamespace.members.map(
        ({ pid, title, argv }) => `${String(pid).padStart(5)} root     S    ${title ?? argv.join(' ')}`,
      ),
    ];
    process.stdout.write(`${lines.join('\n')}\n`);
    if (screen >= screens) return 0;
    await process.sleep(interval);
  }
};

/** Returns the lines after the header of a table in `/proc`, split into columns; empty when the file is absent. */
async function readTable(process: Process, path: string): Promise<readonly (readonly string[])[]> {
  const text = (await process.machine.files.tryRead(path)) ?? '';
  return text
    .split('\n')
    .slice(1)
    .filter((line) => line.trim() !== '')
    .map((line) => line.trim().split(/\s+/));
}

/** Simulates `ipcs -m`: lists the shared memory segments of the IPC namespace. */
const ipcs: Program = async (process) => {
  const segments = await readTable(process, '/proc/sysvipc/shm');
  const rows = segments.map(([key = '0', id = '', permissions = '', size = '', , , attached = '', uid = '']) => {
    const hexadecimalKey = `0x${(Number(key) >>> 0).toString(16).padStart(8, '0')}`;
    return [hexadecimalKey, id.padEnd(10), uid.padEnd(10), permissions.padEnd(10), size.padEnd(10), attached].join(' ');
  });
  const header = 'key        shmid      owner      perms      bytes      nattch     status';
  process.stdout.write(`\n------ Shared Memory Segments --------\n${[header, ...rows].join('\n')}\n\n`);
  return 0;
};

/** The state of a listening TCP socket in `/proc/net/tcp`. */
const listening = '0A';

/** Simulates `netstat -ln`: lists the listening TCP ports of the network namespace. */
const netstat: Program = async (process) => {
  const sockets = await Promise.all(['/proc/net/tcp', '/proc/net/tcp6'].map((path) => readTable(process, path)));
  const hostPorts = sockets
    .flat()
    .filter(([, , , state]) => state === listening)
    .map(([, local = '']) => Number.parseInt(local.split(':')[1] ?? '', 16));
  const ports = [...new Set([...process.machine.network.ports, ...hostPorts])].toSorted((a, b) => a - b);
  const rows = ports.map(
    (port) => `tcp        0      0 ${`0.0.0.0:${port}`.padEnd(23)} 0.0.0.0:*               LISTEN`,
  );
  process.stdout.write(
    [
      'Active Internet connections (only servers)',
      'Proto Recv-Q Send-Q Local Address           Foreign Address         State',
      ...rows,
      '',
    ].join('\n'),
  );
  return 0;
};

export const monitorPrograms: Readonly<Record<string, Program>> = { top, ipcs, netstat };
