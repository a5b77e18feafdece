#!/bin/sh
# A systemd of its own over a throw-away copy of this machine's file system. machine.py starts it, as root:
#
#   unshare --mount sh boot.sh keep FOLDER FIRST-UID LAST-UID TREE…    FOLDER is empty, the TREEs are real paths
#
# The first line of stdout is the process of that systemd, as those see it who are outside. It lives until stdin ends,
# which it does however the starter ends; then nothing is left: the processes end with the first one of their
# namespace, the files stand in memory and go with their mounts, and the group of processes is removed here.
set -eu
umask 022
spaces="--mount --pid --uts --ipc --net --cgroup"

keep() {
    mount -t tmpfs -o mode=755 tmpfs "$1"
    cd "$1"
    shift
    mkdir cgroup upper work root
    mount -t cgroup2 cgroup2 cgroup
    group="cgroup$(sed -n 's/^0:://p' /proc/self/cgroup)/hypo-compactd-test-$$"
    mkdir "$group"
    (
        echo 0 >"$group/cgroup.procs"
        # shellcheck disable=SC2086 # several words
        exec setpriv --pdeathsig KILL unshare $spaces --fork --kill-child sh "$boot" begin "$@" </dev/null
    ) &
    exec >/dev/null
    cat
    kill -KILL $! 2>/dev/null || true
    wait
    # The kernel ends the others one after the other; a group can be removed once it is empty.
    for _ in $(seq 100); do
        find "$group" -depth -type d -exec rmdir {} + 2>/dev/null && break
        sleep 0.05
    done
}

begin() {
    read -r pid _ </proc/self/stat # /proc is still that of the system outside
    first=$1 last=$2
    shift 2
    mount -t overlay -o lowerdir=/,upperdir=upper,workdir=work overlay root
    cd root
    kernel_files
    device_files
    number=0
    for tree; do
        number=$((number + 1))
        show_tree
    done
    users
    # Nothing of what this machine starts and mounts at its own start.
    rm -rf etc/systemd/system/*.wants etc/systemd/system/*.requires
    : >etc/fstab

    mkdir -p mnt
    pivot_root . mnt
    umount -l mnt
    echo "$pid"
    exec >/dev/null
    exec env -i container=test PATH=/usr/sbin:/usr/bin:/sbin:/bin \
        setpriv --bounding-set=-sys_module,-sys_rawio,-sys_time,-mknod \
        /lib/systemd/systemd --unit=basic.target --show-status=no
}

kernel_files() {
    mount -t proc proc proc
    mount --bind proc/sys proc/sys
    mount -o remount,bind,ro proc/sys # the limits there are those of the whole system
    mount -t sysfs -o ro sysfs sys
    mount -t cgroup2 cgroup2 sys/fs/cgroup
    mkdir -p run tmp var/tmp var/log
    for place in run tmp var/tmp var/log; do mount -t tmpfs tmpfs "$place"; done
    chmod 1777 tmp var/tmp
    mkdir var/log/journal # where it is, each user has a journal of their own
}

device_files() {
    mount -t tmpfs -o mode=755 tmpfs dev
    for name in null zero full random urandom tty; do
        : >"dev/$name"
        mount --bind "/dev/$name" "dev/$name"
    done
    mkdir dev/pts dev/shm
    mount -t devpts -o newinstance,ptmxmode=666 devpts dev/pts
    mount -t tmpfs tmpfs dev/shm
    chmod 1777 dev/shm
    ln -s pts/ptmx dev/ptmx
    ln -s null dev/console
    ln -s /proc/self/fd dev/fd
    for name in 0:stdin 1:stdout 2:stderr; do ln -s "/proc/self/fd/${name%%:*}" "dev/${name#*:}"; done
}

# It may be a file system of its own, which the copy of / leaves out, and an ordinary user may not be let in.
show_tree() {
    mkdir -p "../tree$number" "../upper$number" "../work$number" ".$tree"
    mount --bind "$tree" "../tree$number"
    (
        cd .. # relative names: a path may hold what separates the options of a mount
        options=lowerdir=tree$number,upperdir=upper$number,workdir=work$number
        mount -t overlay -o "$options" overlay "root$tree"
    )
    find ".$tree" ! -type l \( ! -perm -o=r -o -type d ! -perm -o=x \) -exec chmod o+rX {} +
    above=${tree%/*}
    while [ "$above" ]; do
        chmod o+x ".$above"
        above=${above%/*}
    done
}

# A home is a file system of its own: events of an overlay are not those of an ordinary one.
users() {
    for id in $(seq "$first" "$last"); do
        name=tester$id
        echo "$name:x:$id:$id::/home/$name:/bin/sh" >>etc/passwd
        echo "$name:x:$id:" >>etc/group
        echo "$name:*:20000::::::" >>etc/shadow
        mkdir -p "home/$name"
        mount -t tmpfs -o "mode=700,uid=$id,gid=$id" tmpfs "home/$name"
    done
}

boot=$(realpath "$0")
"$@"
