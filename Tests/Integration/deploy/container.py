"""Checks the command and the settings of a container of ours with the program."""

import dataclasses
import os
import re
import subprocess


@dataclasses.dataclass(frozen=True)
class Container:
    """The program's words (`worker`, …) and what the environment has, with files where they are on this machine."""

    words: tuple
    environment: dict

    def check(self, binary):
        """The command is there, its settings are taken, and each variable is a setting. Gives those in force by name."""
        commands = re.findall(r"^  (\w+(?: \w+)?)  ", subprocess.run(
            [binary, "--help"], capture_output=True, text=True, check=True).stdout, re.M)
        command = next((name for name in commands if self.words[:name.count(" ") + 1] == tuple(name.split())), None)
        assert command, self.words
        words = self.words[command.count(" ") + 1:]
        options = re.findall(r"--[\w.]+", subprocess.run(
            [binary, *command.split(), "--help"], capture_output=True, text=True, check=True).stdout)
        for word in words:
            assert not word.startswith("--") or word in options, f"{command} has no {word}"
        # `settings` takes no options of a command's own.
        own = [n for n, word in enumerate(words) if word.startswith("--") and "." not in word and word != "--config"]
        rest = [word for n, word in enumerate(words) if n not in own and n - 1 not in own]
        told = subprocess.run(
            [binary, "settings", *rest], env={"PATH": os.environ["PATH"], **self.environment}, capture_output=True,
            text=True)
        assert told.returncode == 0, told.stderr
        settings, used = {}, set()
        for name, value, origin in re.findall(r"^(\S+) = (.*)  \((.*)\)$", told.stdout, re.M):
            settings[name] = value
            used.add(origin.removeprefix("environment "))
        assert set(self.environment) <= used, f"no settings: {set(self.environment) - used}"
        return {"kafka.group.id": "flyscreen", **settings}
