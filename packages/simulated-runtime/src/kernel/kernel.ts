/** Simulates the node's kernel: its namespaces and kernel parameters. */
import { type Namespaces, PidNamespace, type ResidentProcess } from './pid-namespace.ts';

/** The inode number of the first namespace. */
const firstInode = 4_026_531_835;

/** Default kernel parameters by dotted name. */
const defaultSysctls: Readonly<Record<string, string>> = {
  'fs.file-max': '9223372036854775807',
  'fs.mqueue.msg_max': '10',
  'fs.mqueue.msgsize_max': '8192',
  'fs.mqueue.queues_max': '256',
  'kernel.hostname': 'node',
  'kernel.msgmax': '8192',
  'kernel.msgmnb': '16384',
  'kernel.osrelease': '6.1.0',
  'kernel.ostype': 'Linux',
  'kernel.pid_max': '4194304',
  'kernel.sem': '32000\t1024000000\t500\t32000',
  'kernel.shm_rmid_forced': '0',
  'kernel.shmall': '18446744073692774399',
  'kernel.shmmax': '18446744073692774399',
  'kernel.shmmni': '4096',
  'net.core.somaxconn': '4096',
  'net.ipv4.ip_forward': '1',
  'net.ipv4.ip_local_port_range': '32768\t60999',
  'net.ipv4.ip_unprivileged_port_start': '1024',
  'net.ipv4.ping_group_range': '1\t0',
  'net.ipv4.tcp_fin_timeout': '60',
  'net.ipv4.tcp_keepalive_intvl': '75',
  'net.ipv4.tcp_keepalive_probes': '9',
  'net.ipv4.tcp_keepalive_time': '7200',
  'net.ipv4.tcp_rmem': '4096\t131072\t6291456',
  'net.ipv4.tcp_syncookies': '1',
  'net.ipv4.tcp_wmem': '4096\t16384\t4194304',
  'vm.max_map_count': '65530',
  'vm.overcommit_memory': '0',
};

/** Returns the kernel parameters of a pod: the defaults, overridden by the sysctls that the pod requests. */
export const sysctlsOf = (requested: Readonly<Record<string, string>> = {}): Map<string, string> =>
  new Map([
    ...Object.entries(defaultSysctls),
    ...Object.entries(requested).map(([name, value]): [string, string] => [name.replaceAll('/', '.'), value]),
  ]);

export class Kernel {
  #lastInode = firstInode;
  /** Namespaces of the node itself. */
  readonly namespaces: Namespaces = { net: this.#nextInode(), ipc: this.#nextInode(), uts: this.#nextInode() };
  readonly pidNamespace: PidNamespace = this.newPidNamespace({ argv: ['/sbin/init'], namespaces: this.namespaces });

  /** Returns new namespaces that differ from the node's. */
  newNamespaces(): Namespaces {
    return { net: this.#nextInode(), ipc: this.#nextInode(), uts: this.#nextInode() };
  }

  newPidNamespace(first?: ResidentProcess): PidNamespace {
    return new PidNamespace(this.#nextInode(), first);
  }

  #nextInode(): number {
    return ++this.#lastInode;
  }
}
