#!/bin/sh
# Runs as process 1 of a test machine's namespaces: replaces what belongs to the real machine with empty file systems, starts a
# Docker engine with an empty data root unless PODSCOPE_TEST_DOCKERD_LOG is empty, and reaps orphans until it is killed. Standard
# input has one line for each control group file system: TYPE OPTIONS PATH.
set -eu

mount --make-rprivate /
ip link set lo up

# The real machine's /sys shows its network interfaces and its control groups; these are the namespaces' own.
resolver=$(cat /etc/resolv.conf 2>/dev/null || true)
umount --recursive --lazy /sys
mount -t sysfs sysfs /sys
if grep -q securityfs /proc/filesystems; then mount -t securityfs securityfs /sys/kernel/security || true; fi
while read -r type options path; do
  case $path in
    /sys/fs/cgroup) ;;
    *) mountpoint -q /sys/fs/cgroup || mount -t tmpfs -o mode=755 tmpfs /sys/fs/cgroup
       mkdir -p "$path" ;;
  esac
  mount -t "$type" -o "$options" cgroup "$path"
done
# With cgroup v2 a group with children that use controllers has no processes of its own.
if [ -e /sys/fs/cgroup/cgroup.controllers ]; then
  mkdir -p /sys/fs/cgroup/init
  for pid in $(cat /sys/fs/cgroup/cgroup.procs); do echo "$pid" >/sys/fs/cgroup/init/cgroup.procs || true; done
  for controller in $(cat /sys/fs/cgroup/cgroup.controllers); do
    echo "+$controller" >/sys/fs/cgroup/cgroup.subtree_control || true
  done
fi

# Sockets, network namespaces, images, address leases and temporary files: none of the real machine's.
mount -t tmpfs -o mode=755 tmpfs /run
mkdir -p /run/lock /run/home /run/t /var/lib/docker /var/lib/cni
chmod 1777 /run/lock /run/t
target=$(readlink -m /etc/resolv.conf)
case $target in
  /run/*) mkdir -p "$(dirname "$target")"; printf '%s\n' "$resolver" >"$target" ;;
esac
mount -t tmpfs tmpfs /var/lib/docker
mount -t tmpfs tmpfs /var/lib/cni

if [ -n "$PODSCOPE_TEST_DOCKERD_LOG" ]; then
  dockerd --log-level=warn >"$PODSCOPE_TEST_DOCKERD_LOG" 2>&1 &
  while ! docker version >/dev/null 2>&1; do
    kill -0 $! 2>/dev/null || { tail -n 20 "$PODSCOPE_TEST_DOCKERD_LOG" >&2; exit 1; }
    sleep 0.1
  done
else
  sleep infinity &
fi
echo ready
# The shell reaps every orphan of the namespace while it waits.
wait $!
