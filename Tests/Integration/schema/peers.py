"""Flyscreen's readers and writers, held against Protobuf's own: Python's library and protoc."""

import pathlib
import subprocess

from google.protobuf import descriptor_pb2, descriptor_pool, message_factory

ROOT = pathlib.Path(__file__).resolve().parents[3]
SCHEMAS = ROOT / "Schemas"
PROTO = SCHEMAS / "flyscreen.proto"


class Schema:
    """The messages of flyscreen.proto, as Python's library makes them of the file itself."""

    def __init__(self, folder):
        described = folder / "flyscreen.desc"
        subprocess.run(
            ["protoc", f"-I{SCHEMAS}", f"--descriptor_set_out={described}", PROTO.name], check=True, cwd=SCHEMAS
        )
        self.file = descriptor_pb2.FileDescriptorSet.FromString(described.read_bytes()).file[0]
        pool = descriptor_pool.DescriptorPool()
        pool.Add(self.file)
        for message in self.file.message_type:
            name = f"{self.file.package}.{message.name}"
            setattr(self, message.name, message_factory.GetMessageClass(pool.FindMessageTypeByName(name)))


class NotUnderstood(Exception):
    def __init__(self, line):
        reason, self.description = line.removeprefix("! ").split(": ", 1)
        self.reason = reason
        super().__init__(line)


class WireTool:
    """Tests/WireTool, asked one question after the other."""

    def __init__(self, program):
        self.process = subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def ask(self, *words):
        request = " ".join(self.word(word) for word in words)
        self.process.stdin.write(request.encode() + b"\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline().decode().removesuffix("\n")
        assert self.process.poll() is None and answer, f"it ended at: {request}"
        if answer.startswith("! "):
            raise NotUnderstood(answer)
        return answer

    def event(self, value, content_type="application/json", key=None, rule="any"):
        """The event as JSON text."""
        return self.ask("read-event", encoded(content_type), encoded(key), rule, encoded(value))

    def event_bytes(self, json_text, form):
        return bytes.fromhex(self.ask("write-event", form, encoded(json_text)))

    def command(self, value, content_type="application/json"):
        return self.ask("read-command", encoded(content_type), encoded(value))

    def command_bytes(self, json_text, form):
        return bytes.fromhex(self.ask("write-command", form, encoded(json_text)))

    def result(self, value, content_type="application/json"):
        return self.ask("read-result", encoded(content_type), encoded(value))

    def result_bytes(self, json_text, form):
        return bytes.fromhex(self.ask("write-result", form, encoded(json_text)))

    @staticmethod
    def word(word):
        return word if isinstance(word, str) else str(word)


def encoded(value):
    if value is None:
        return "-"
    data = value.encode() if isinstance(value, str) else bytes(value)
    return data.hex() or "="


PROTOBUF = "application/x-protobuf"
