"""A disk of a given size for one broker: a tmpfs in a mount namespace of the test's own, in which the brokers run."""

import subprocess


class SmallDisk:
    """`why_not` says why this machine has none; then `within` is empty."""

    def __init__(self, folder, megabytes):
        folder.mkdir(parents=True)
        self._filler = folder / "filler"
        script = 'mount -t tmpfs -o "size=$1m" tmpfs "$0" && echo mounted && exec sleep infinity'
        self._holder = subprocess.Popen(
            ["unshare", "-rm", "sh", "-c", script, folder, str(megabytes)], stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.within, self.why_not = (), None
        if self._holder.stdout.readline():
            self.within = ("nsenter", "--user", "--mount", "--preserve-credentials", f"--target={self._holder.pid}")
        else:
            self.why_not = f"no tmpfs can be mounted here: {self._holder.communicate()[1].strip()}"

    def fill(self):
        """Fills the disk to the last byte. (Then `dd` fails.)"""
        self._run("dd", "if=/dev/zero", f"of={self._filler}", "bs=1M")

    def free(self):
        self._run("rm", "-f", self._filler)

    def close(self):
        self._holder.kill()
        self._holder.wait()

    def _run(self, *command):
        subprocess.run([*self.within, *command], stdin=subprocess.DEVNULL, capture_output=True)
